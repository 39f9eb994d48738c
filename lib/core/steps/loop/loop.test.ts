import { describe, expect, it } from "vitest";
import { compilePlan } from "#lib/core/engine/compile-plan";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { loadNodeHandlers } from "#lib/core/steps/load-node-handlers";
import { prepareLoop } from "#lib/core/steps/loop/loop";

const nodeHandlers = await loadNodeHandlers();

const items = (value: unknown, template: unknown = "{{a.list}}") =>
  prepareLoop(completeNode("each", "loop", { items: template })).resolveInput({ a: { list: value } }, {}, []);

describe("the items of a loop", () => {
  it("come from a template or from an array in the data", () => {
    expect(items([1, { x: 2 }])).toEqual({ items: [1, { x: 2 }] });
    expect(items("b", ["a", "{{a.list}}"])).toEqual({ items: ["a", "b"] });
    expect(items(Array.from({ length: 1_000 }, () => null)).items).toHaveLength(1_000);
  });

  it.each([
    [null, /items must be an array, but is null/],
    ["a,b", /items must be an array, but is a string/],
    [{ 0: "a" }, /items must be an array, but is an object/],
    [Array.from({ length: 1_001 }, () => 1), /has 1001 entries, but a loop can process at most 1000$/],
  ])("are refused if the value is %j", (value, message) => {
    expect(() => items(value)).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR", message: expect.stringMatching(message) }),
    );
  });
});

describe("a draft that cannot be executed", () => {
  const handlers = nodeHandlers(() => null);
  const inside = (parentId: string, id = "a") => ({ ...completeNode(id, "transform"), parentId });
  const nodes = [completeNode("in", "action_input"), completeNode("each", "loop")];

  it.each([
    ["has a step inside a node that is not a loop", definition([...nodes, inside("in")], []), /in is not a loop/],
    [
      "has a step inside a node that does not exist",
      definition([...nodes, inside("ghost")], []),
      /ghost is not a loop/,
    ],
    ["has an edge into a loop", definition([...nodes, inside("each")], ["in > a"]), /into or out of a loop/],
    [
      "has a loop inside itself",
      definition(
        [
          { ...completeNode("x", "loop"), parentId: "y" },
          { ...completeNode("y", "loop"), parentId: "x" },
        ],
        [],
      ),
      /contains itself/,
    ],
  ])("fails with that reason if it %s", (_what, graph, message) => {
    expect(() => compilePlan(graph, handlers)).toThrow(message);
  });
});
