import { expect, test } from "vitest";
import { moveNodes } from "@/components/canvas/document/edit-data";
import { branchingDefinition, testEdge, testNode } from "@/components/canvas/document/test-definition";
import { focusOrder } from "@/components/canvas/layout/focus-order";
import { generateGraph } from "@/components/canvas/layout/generate-graph.fixture";

test("the Tab key follows one branch after the other, wherever the steps are", () => {
  const definition = branchingDefinition();
  const order = ["start", "over_500", "refund", "decline", "end"];
  expect(focusOrder({ ...definition, nodes: definition.nodes.toReversed() })).toEqual(order);
  expect(focusOrder(moveNodes(definition, { end: { x: -900, y: -900 } }))).toEqual(order);
});

test("the Tab key enters a loop before it reaches the step after it", () => {
  const inside = { ...testNode("inside", "transform", 0, 0), parentId: "each" };
  const nodes = [testNode("end", "return_output", 0, 0), inside, testNode("each", "loop", 0, 0)];
  expect(focusOrder({ nodes, edges: [testEdge("each", "end")] })).toEqual(["each", "inside", "end"]);
});

test("the Tab key reaches each step of any workflow once, and a loop before its body", () => {
  for (let seed = 0; seed < 50; seed += 1) {
    const graph = generateGraph(seed, 60);
    const order = focusOrder(graph);
    expect(order.toSorted()).toEqual(graph.nodes.map(({ id }) => id).toSorted());
    for (const { id, parentId } of graph.nodes) {
      if (parentId !== undefined) expect(order.indexOf(parentId)).toBeLessThan(order.indexOf(id));
    }
  }
});
