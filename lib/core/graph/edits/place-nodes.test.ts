import { expect, it } from "vitest";
import { placeNodes } from "#lib/core/graph/edits/place-nodes";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

const at = (x: number, y: number, id: string) => ({ ...completeNode(id, "delay"), position: { x, y } });
const positions = (placed: ReturnType<typeof placeNodes>) =>
  Object.fromEntries(placed.nodes.map(({ id, position: { x, y } }) => [id, [x, y]]));

it("puts nodes without places below what leads to them, branches side by side, in any order of writing", () => {
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

it("leaves a drawing as it is, and gives a place to what was added without one", () => {
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

it("counts a loop's body from the loop's corner, and leaves room for it", () => {
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

it("ends where the graph goes round", () => {
  const graph = definition([completeNode("a", "delay"), completeNode("b", "delay")], ["a > b", "b > a"]);
  expect(new Set(Object.values(positions(placeNodes(graph))).map(String)).size).toBe(2);
});
