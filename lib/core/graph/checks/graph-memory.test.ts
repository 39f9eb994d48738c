import { expect, test } from "vitest";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { createGraphMemory } from "#lib/core/graph/checks/graph-memory";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const random = seededRandom(11);
const IDS = ["start", "a", "b", "c", "each", "end", "d", "action_input"] as const;
const TEXTS = ["{{a.x}}", "{{start.email}}", "{{action_input.n}}", "{{each.item}}", "{{each.results}}", "{{b", "text"];

const START = definition(
  [
    completeNode("start", "action_input", { properties: [{ name: "n", type: "number", required: true }] }),
    completeNode("a", "transform", { fields: [{ name: "x", value: "{{action_input.n}}" }] }),
    completeNode("each", "loop", { items: "{{a.x}}" }),
    { ...completeNode("b", "transform", { fields: [{ name: "y", value: "{{each.item}}" }] }), parentId: "each" },
    { ...completeNode("c", "transform", { fields: [{ name: "z", value: "{{b.y}}" }] }), parentId: "each" },
    completeNode("end", "return_output", { properties: [{ name: "n", type: "number", value: "{{each.results}}" }] }),
  ],
  ["start > a", "a > each", "b > c", "each > end"],
);

const changed = (items: GraphNode[], change: (item: GraphNode) => GraphNode) => {
  const at = random.below(items.length);
  return items.map((item, index) => (index === at ? change(item) : item));
};
const anyData = () =>
  random.pick([
    { fields: [{ name: "x", value: random.pick(TEXTS) }] },
    { items: random.pick(TEXTS), properties: [{ name: random.pick(["n", "email"]), type: "string" }] },
    { name: "Renamed", fields: [] },
    {},
  ]);
const anyEdge = () => {
  const [source, target] = [random.pick(IDS), random.pick(IDS)];
  return { id: `${source}-${target}`, source, target, sourceHandle: random.pick([undefined, "true"]) };
};

/** Makes one random change: something that people do on the canvas, or that an invalid draft may contain. */
function edited({ nodes, edges }: Definition): Definition {
  switch (random.below(9)) {
    case 0:
      return { nodes, edges: [...edges, anyEdge()] };
    case 1:
      return { nodes, edges: edges.filter(() => random.next() > 0.2) };
    case 2:
      return { nodes: [...nodes, completeNode(random.pick(IDS), random.pick(STEP_TYPES), anyData())], edges };
    case 3:
      return nodes.length < 3 ? { nodes, edges } : { nodes: nodes.filter(() => random.next() > 0.2), edges };
    case 4:
      return { nodes: changed(nodes, (item) => ({ ...item, id: random.pick(IDS) })), edges };
    case 5:
      return { nodes: changed(nodes, (item) => ({ ...item, parentId: random.pick(IDS) })), edges };
    case 6:
      return { nodes: changed(nodes, (item) => ({ ...item, type: random.pick(STEP_TYPES) })), edges };
    case 7:
      return { nodes: nodes.toReversed(), edges };
    default:
      return { nodes: changed(nodes, (item) => ({ ...item, data: anyData() })), edges };
  }
}

test("a check with memory finds the same problems as a check from scratch", () => {
  const found = new Set<string>();
  for (let drawing = 0; drawing < 40; drawing += 1) {
    const memory = createGraphMemory();
    const seen = [START];
    for (let edit = 0; edit < 20; edit += 1) {
      // Undo restores the earlier definition.
      const from = (random.next() < 0.2 ? random.pick(seen) : seen.at(-1)) ?? START;
      const next = random.next() < 0.1 ? from : edited(from);
      seen.push(next);
      const problems = validateGraph(next, memory);
      expect(problems).toEqual(validateGraph(next));
      for (const { code } of problems) found.add(code);
    }
  }
  expect(found.size).toBeGreaterThan(15);
});
