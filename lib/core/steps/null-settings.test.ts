import { describe, expect, test } from "vitest";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { checkNodeData } from "#lib/core/graph/checks/check-node-data";
import { createGraphMemory } from "#lib/core/graph/checks/graph-memory";
import { indexGraph } from "#lib/core/graph/edges";
import { describeNode } from "#lib/core/steps/describe-nodes";
import { optionalSettings } from "#lib/core/steps/optional-settings.fixture";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";

const problemsOf = (node: GraphNode) =>
  checkNodeData(indexGraph({ nodes: [node], edges: [] }), createGraphMemory()).map(
    ({ code, field }) => `${code} ${field}`,
  );

describe.each(STEP_TYPES)("the step kind %s", (type) => {
  const { example } = describeNode(type);
  const node = (data: object): GraphNode => ({ id: "step", type, position: { x: 0, y: 0 }, data: { ...data } });
  const nulls = Object.fromEntries(
    optionalSettings(type)
      .filter((name) => !Object.hasOwn(example.data, name))
      .map((name) => [name, null]),
  );

  test("takes null for every optional setting as left out", () => {
    if (type !== "trigger") expect(Object.keys(nulls)).toContain("name");
    expect(problemsOf(node({ ...example.data, ...nulls }))).toEqual(problemsOf(node(example.data)));
  });
});

test("null for a required setting is a problem that names the field", () => {
  const node: GraphNode = { id: "step", type: "loop", position: { x: 0, y: 0 }, data: { items: null } };
  expect(problemsOf(node)).toEqual(["INVALID_DATA items"]);
});
