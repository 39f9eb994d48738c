import { beforeAll, expect, test } from "vitest";
import type { Definition } from "#lib/contract/workflow/graph";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { indexGraph } from "#lib/core/graph/edges";
import { seededRandom } from "#lib/support/seeded-random.fixture";
import { analyse, loadChecks } from "@/components/canvas/document/analysis";
import { editNodeData, moveNodes } from "@/components/canvas/document/edit-data";
import { orderSteps } from "@/components/canvas/document/step-order";
import { testEdge, testNode } from "@/components/canvas/document/test-definition";

const START: Definition = {
  nodes: [
    testNode("start", "action_input", 0, 0, { properties: [{ name: "n", type: "number" }] }),
    testNode("a", "transform", 0, 200, { fields: [{ name: "x", value: "{{action_input.n}}" }] }),
    testNode("b", "transform", 300, 200, { fields: [{ name: "x", value: "{{a.y}}" }] }),
    testNode("wait", "delay", 0, 400, { seconds: "{{a.x}}" }),
    testNode("end", "return_output", 0, 600, { properties: [] }),
  ],
  edges: [testEdge("start", "a"), testEdge("a", "wait"), testEdge("wait", "end")],
};

beforeAll(loadChecks);

const random = seededRandom(5);
const IDS = START.nodes.map(({ id }) => id);

function edited(definition: Definition): Definition {
  const id = random.pick(IDS);
  switch (random.below(5)) {
    case 0:
      return moveNodes(definition, { [id]: { x: random.below(600), y: random.below(900) } });
    case 1:
      return { ...definition, edges: [...definition.edges, testEdge(id, random.pick(IDS))] };
    case 2:
      return { ...definition, nodes: definition.nodes.filter((node) => node.id !== id || random.next() < 0.7) };
    case 3:
      return { ...definition, edges: definition.edges.slice(0, -1) };
    default:
      return editNodeData(definition, id, ["fields"], [{ name: "x", value: random.pick(["{{start.n}}", "{{a", "1"]) }]);
  }
}

test("an analysis based on an earlier one equals an analysis from scratch", () => {
  let definition = START;
  const before = [START];
  for (let edit = 0; edit < 300; edit += 1) {
    definition = edited(random.next() < 0.1 ? random.pick(before) : definition);
    before.push(definition);
    const { index, steps, problems, problemsByNode, warnings } = analyse(definition);
    expect(index).toEqual(indexGraph(definition));
    expect([...steps.keys()]).toEqual(orderSteps(definition));
    expect([...problems, ...warnings]).toEqual(validateGraph(definition));
    expect(problems.every(({ severity }) => severity === "error")).toBe(true);
    expect([...problemsByNode.values()].flat()).toHaveLength(problems.filter(({ node_id }) => node_id).length);
    for (const [id, own] of problemsByNode) expect(own).toEqual(problems.filter(({ node_id }) => node_id === id));
    expect(warnings.every(({ severity }) => severity === "warning")).toBe(true);
  }
});

test("typing a letter keeps the order, the lines and all other problems as the same objects", () => {
  const before = analyse(START);
  const after = analyse(editNodeData(START, "a", ["fields", 0, "value"], "{{action_input.n}}!"));
  expect(after.problems).toBe(before.problems);
  expect(after.problemsByNode).toBe(before.problemsByNode);
  expect(after.steps).toBe(before.steps);
  expect(after.index.incoming).toBe(before.index.incoming);
  expect(after.index.nodes.get("a")).not.toBe(before.index.nodes.get("a"));
});
