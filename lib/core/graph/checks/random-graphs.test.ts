import { expect, test } from "vitest";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { WORKFLOW_TYPES } from "#lib/contract/workflow/workflow";
import { scanTemplate } from "#lib/core/expressions/scan-template";
import { listTemplates } from "#lib/core/graph/checks/list-templates";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { deriveType } from "#lib/core/graph/derive-type";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { definitionSchema } from "#lib/core/steps/definition-schema";
import { deriveInputSchema, deriveOutputSchema } from "#lib/core/steps/derive-schemas";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const random = seededRandom(7);
const IDS = ["a", "b", "c", "d", "e", "start", "action_input", "trigger", "__proto__", "constructor"] as const;
const leaf = () => random.pick(["{{a.x}}", "{{start}}", "{{action_input.email}}", "{{", "text", 1, null, true, ""]);

/** Creates random nodes and edges of any kind. Their configuration is arbitrary or almost valid. */
function anyGraph(): Definition {
  const ids = Array.from({ length: random.below(8) }, () => random.pick(IDS));
  const nodes = ids.map((id): GraphNode => {
    const type = random.pick(STEP_TYPES);
    const data = random.json(leaf);
    const isObject = typeof data === "object" && data !== null && !Array.isArray(data);
    const made = completeNode(
      id,
      type,
      isObject && random.next() < 0.7 ? { ...data } : { properties: data, rules: data, fields: data },
    );
    return random.next() < 0.1 ? { ...made, parentId: random.pick(IDS) } : made;
  });
  const edges = Array.from({ length: random.below(12) }, (_, index) => ({
    id: `e${random.next() < 0.1 ? 0 : index}`,
    source: random.pick(IDS),
    target: random.pick(IDS),
    sourceHandle: random.pick([undefined, null, "true", "false", "x", ""]),
  }));
  return { nodes, edges };
}

/** Creates a random graph from the start downward. It is mostly valid. */
function likelyGraph(): Definition {
  const names = ["n0", "n1", "n2", "n3", "n4"].slice(0, 1 + random.below(5));
  const work = names.map((id, index) => {
    const visible = names.slice(0, index + (random.next() < 0.1 ? 2 : 0));
    const seen = random.pick(["start", "action_input", ...visible]);
    return completeNode(id, "transform", { fields: [{ name: "x", value: `{{${seen}}}` }] });
  });
  const nodes = [completeNode("start", "action_input"), ...work, completeNode("end", "return_output")];
  const order = nodes.map(({ id }) => id);
  const edges = order.slice(1).flatMap((id, index) => {
    const from = order[random.below(index + 1)] ?? "start";
    return random.next() < 0.3 ? [`${from} > ${id}`, `${order[index]} > ${id}`] : [`${order[index]} > ${id}`];
  });
  return definition(nodes, [...new Set(edges)]);
}

/**
 * Checks whether a graph is publishable in a different way than the code: by sorting the nodes so that every edge leads
 * forward.
 */
function expectPublishable({ nodes, edges }: Definition): void {
  const before = new Map(nodes.map(({ id }) => [id, new Set<string>()]));
  for (let round = 0; round < nodes.length; round += 1) {
    for (const { source, target } of edges) {
      before.get(target)?.add(source);
      for (const id of before.get(source) ?? []) before.get(target)?.add(id);
    }
  }
  const entry = nodes.find(({ type }) => type === "action_input");
  expect(before.size).toBe(nodes.length);
  for (const item of nodes) {
    expect(before.get(item.id)?.has(item.id)).toBe(false);
    if (item !== entry) expect(before.get(item.id)?.has(entry?.id ?? "")).toBe(true);
    for (const { text } of listTemplates(item)) {
      for (const part of scanTemplate(text).parts) {
        if (typeof part === "string") continue;
        for (const { name } of part.references) {
          expect(before.get(item.id)?.has(name === "action_input" ? (entry?.id ?? "") : name)).toBe(true);
        }
      }
    }
  }
}

test("validating and deriving never throw, whatever the graph is", () => {
  for (let round = 0; round < 1_500; round += 1) {
    const graph = anyGraph();
    const ids = new Set([...graph.nodes.map(({ id }) => id), ...graph.edges.map(({ source }) => source)]);
    for (const problem of validateGraph(graph)) {
      expect(problem.code).toMatch(/^[A-Z_]+$/);
      expect(problem.message.length).toBeGreaterThan(5);
      if (problem.node_id !== undefined) expect(ids.has(problem.node_id)).toBe(true);
    }
    expect(WORKFLOW_TYPES).toContain(deriveType(graph));
    expect(deriveInputSchema(graph).type).toBe("object");
    expect(deriveOutputSchema(graph)?.type ?? "object").toBe("object");
  }
});

test("a graph without problems flows forward from its entry, and every reference is computed before it is used", () => {
  let sound = 0;
  for (let round = 0; round < 1_000; round += 1) {
    const graph = likelyGraph();
    if (validateGraph(graph).length > 0) continue;
    sound += 1;
    expect(definitionSchema.safeParse(graph).success).toBe(true);
    expectPublishable(graph);
  }
  expect(sound).toBeGreaterThan(250);
});

test("adding one backward edge turns any valid graph into a cycle", () => {
  for (let round = 0; round < 200; round += 1) {
    const graph = likelyGraph();
    if (validateGraph(graph).length > 0) continue;
    const back = { id: "back", source: "end", target: "n0" };
    const codes = validateGraph({ ...graph, edges: [...graph.edges, back] }).map(({ code }) => code);
    if (graph.nodes.length > 2) expect(codes).toContain("CYCLE");
  }
});
