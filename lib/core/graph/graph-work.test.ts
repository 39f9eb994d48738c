import { expect, test, vi } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { assertDefinitionSize } from "#lib/core/graph/checks/assert-definition-size";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { applyGraphOperations } from "#lib/core/graph/edits/apply-graph-operations";
import type { GraphOperation } from "#lib/core/graph/edits/graph-operations";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** start > s0 > ... > end, with a text of this length in s0. */
function graphWith(text: string) {
  const start = completeNode("start", "action_input");
  const step = completeNode("s0", "transform", { fields: [{ name: "a", value: text }] });
  return definition([start, step, completeNode("end", "return_output")], ["start > s0", "s0 > end"]);
}

const renames = (count: number): GraphOperation[] =>
  numbers(count).map((index) => ({
    op: "rename_node",
    node_id: index % 2 ? "b" : "s0",
    new_id: index % 2 ? "s0" : "b",
  }));

test("operations that would read too much of a workflow are refused before the first one is applied", () => {
  const graph = graphWith("{{start.x}}".repeat(80_000));
  const unknown: GraphOperation = { op: "remove_node", node_id: "nope" };
  expect(() => applyGraphOperations(graph, [unknown])).toThrow("there is no node");
  expect(() => applyGraphOperations(graph, [unknown, ...renames(20)])).toThrow(
    "would read more than 16 MiB of the workflow. Send fewer rename_node and update_node operations",
  );
  expect(applyGraphOperations(graph, renames(16)).nodes.map(({ id }) => id)).toEqual(["start", "s0", "end"]);
});

test("many updates of a node with much data are refused, and of an ordinary workflow 600 operations are applied", () => {
  const data = Object.fromEntries(numbers(50_000).map((index) => [`key${index}`, index]));
  const graph = definition([completeNode("start", "action_input"), completeNode("s0", "transform", data)], []);
  const updates = (count: number): GraphOperation[] =>
    numbers(count).map((index) => ({ op: "update_node", node_id: "s0", data: { a: index } }));
  expect(() => applyGraphOperations(graph, updates(600))).toThrow("Nothing was changed");
  const ordinary = graphWith("{{start.x}} ".repeat(100));
  expect(applyGraphOperations(ordinary, [...renames(300), ...updates(300)]).nodes[1]?.data).toMatchObject({ a: 299 });
});

test("the places of a loop's templates are derived once, however many there are", () => {
  const loop = completeNode("each", "loop", {
    items: "{{start.list}}",
    result: Object.fromEntries(numbers(500).map((index) => [`k${index}`, "{{each.item}}"])),
  });
  const inside = { ...completeNode("inner", "transform"), parentId: "each" };
  const nodes = [completeNode("start", "action_input"), loop, inside, completeNode("end", "return_output")];
  const filter = vi.spyOn(nodes, "filter");
  validateGraph({ ...definition([], ["start > each", "each > end"]), nodes });
  expect(filter.mock.calls.length).toBeLessThan(10);
});

test("problems cut the names, fields and texts of a draft", () => {
  const name = "N".repeat(500_000);
  const values = Object.fromEntries(numbers(300).map((index) => [`k${index}`, "{{nope}}"]));
  const step = completeNode("s0", "transform", { name, fields: [{ name: "a", value: { [name]: values } }] });
  const problems = validateGraph(definition([completeNode("start", "action_input"), step], ["start > s0"]));
  expect(problems).toHaveLength(200);
  expect(JSON.stringify(problems).length).toBeLessThan(200 * 3_000);
});

test("a draft can be as large as a request and no larger", () => {
  const empty = JSON.stringify(graphWith("")).length;
  assertDefinitionSize(graphWith("x".repeat(LIMITS.definitionBytes - empty)));
  expect(() => assertDefinitionSize(graphWith("x".repeat(LIMITS.definitionBytes - empty + 1)))).toThrow(
    "The workflow would be larger than 1 MiB.",
  );
});
