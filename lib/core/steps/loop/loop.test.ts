import { describe, expect, it } from "vitest";
import { compilePlan } from "#lib/core/engine/compile-plan";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { loadNodeHandlers } from "#lib/core/steps/load-node-handlers";
import { prepareLoop } from "#lib/core/steps/loop/loop";

const nodeHandlers = await loadNodeHandlers();

const items = (value: unknown, template: unknown = "{{a.list}}") =>
  prepareLoop(completeNode("each", "loop", { items: template })).resolveInput({ a: { list: value } }, {});

describe("the items of a loop", () => {
  it("are the array that the template gives, or the array that stands there", () => {
    expect(items([1, { x: 2 }])).toEqual({ items: [1, { x: 2 }] });
    expect(items("b", ["a", "{{a.list}}"])).toEqual({ items: ["a", "b"] });
    expect(items(Array.from({ length: 1_000 }, () => null)).items).toHaveLength(1_000);
  });

  it.each([
    [null, /items must be an array, but is nothing/],
    ["a,b", /items must be an array, but is a string/],
    [{ 0: "a" }, /items must be an array, but is an object/],
    [Array.from({ length: 1_001 }, () => 1), /at most 1000 times/],
  ])("are refused where they are %j", (value, message) => {
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
    ["stands inside what is no loop", definition([...nodes, inside("in")], []), /in is not a loop/],
    ["stands inside what is not there", definition([...nodes, inside("ghost")], []), /ghost is not a loop/],
    ["leads into a loop", definition([...nodes, inside("each")], ["in > a"]), /into a loop or out of it/],
    [
      "holds a loop inside itself",
      definition(
        [
          { ...completeNode("x", "loop"), parentId: "y" },
          { ...completeNode("y", "loop"), parentId: "x" },
        ],
        [],
      ),
      /stands inside itself/,
    ],
  ])("because it %s says so", (_what, graph, message) => {
    expect(() => compilePlan(graph, handlers)).toThrow(message);
  });
});
