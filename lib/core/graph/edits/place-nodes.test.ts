import { expect, it } from "vitest";
import { placeNodes } from "#lib/core/graph/edits/place-nodes";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

const at = (x: number, y: number, id: string) => ({ ...completeNode(id, "delay"), position: { x, y } });
const positions = (placed: ReturnType<typeof placeNodes>) =>
  Object.fromEntries(placed.nodes.map(({ id, position: { x, y } }) => [id, [x, y]]));

it("places nodes without a position below their sources, branches side by side, in whatever order they are listed", () => {
  const ids = ["out", "yes", "no", "check", "start"];
  const graph = definition(
    ids.map((id) => completeNode(id, "delay")),
    ["start > check", "check.true > yes", "check.false > no", "yes > out", "no > out"],
  );
  expect(positions(placeNodes(graph))).toEqual({
    start: [0, 0],
    check: [0, 180],
    yes: [0, 360],
    no: [320, 360],
    out: [0, 540],
  });
});

it("keeps a drawing as it is, and places only nodes that were added without a position", () => {
  const drawn = definition([at(0, 0, "start"), at(40, 200, "end")], ["start > end"]);
  expect(placeNodes(drawn)).toBe(drawn);
  const added = { ...drawn, nodes: [...drawn.nodes, completeNode("extra", "delay"), completeNode("other", "delay")] };
  const edges = [...drawn.edges, { id: "x", source: "end", target: "extra" }];
  expect(positions(placeNodes({ ...added, edges }))).toEqual({
    start: [0, 0],
    end: [40, 200],
    extra: [40, 380],
    other: [320, 0],
  });
});

it("treats positions in a loop's body as relative to the loop's corner, and leaves room for the body", () => {
  const inner = ["one", "two"].map((id) => ({ ...completeNode(id, "delay"), parentId: "each" }));
  const nodes = [
    completeNode("start", "action_input"),
    completeNode("each", "loop"),
    ...inner,
    completeNode("out", "return_output"),
  ];
  const graph = definition(nodes, ["start > each", "one > two", "each > out"]);
  expect(positions(placeNodes(graph))).toEqual({
    start: [0, 0],
    each: [0, 180],
    one: [20, 40],
    two: [20, 220],
    out: [0, 720],
  });
});

it("does not hang on a cycle", () => {
  const graph = definition([completeNode("a", "delay"), completeNode("b", "delay")], ["a > b", "b > a"]);
  expect(new Set(Object.values(positions(placeNodes(graph))).map(String)).size).toBe(2);
});
