import { describe, expect, test } from "vitest";
import type { Definition } from "#lib/contract/workflow/graph";
import { definitionSchema } from "#lib/core/steps/definition-schema";
import { FRAGMENTS } from "#lib/core/templates/fragments";
import { framesOf } from "@/components/canvas/document/frames";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import { branchingDefinition, testEdge, testNode } from "@/components/canvas/document/test-definition";
import { insertFragment } from "@/components/canvas/layout/insert-fragment";
import { nodeSize } from "@/components/canvas/layout/node-size";

/** The test workflow with an empty loop before its end. */
function withLoop(): Definition {
  const { nodes, edges } = branchingDefinition();
  return {
    nodes: [...nodes, testNode("each", "loop", 600, 380, { items: "{{start.orders}}" })],
    edges: [...edges, testEdge("start", "each")],
  };
}

const SPOTS: InsertSpot[] = [
  { kind: "free", position: { x: 0, y: 0 } },
  { kind: "after", source: "refund", sourceHandle: null },
  { kind: "after", source: "over_500", sourceHandle: "false" },
  { kind: "edge", edgeId: "over_500.true-refund" },
  { kind: "edge", edgeId: "decline-end" },
  { kind: "inside", loopId: "each" },
];

/** Pairs of steps of one frame whose cards cover each other. */
function covered(definition: Definition): string[] {
  return [...framesOf(definition).bodyOf.values()].flatMap((body) =>
    body.flatMap((a, place) =>
      body.slice(place + 1).flatMap((b) => {
        const [first, second] = [a, b].map((node) => ({ ...node.position, ...nodeSize(definition, node, {}) }));
        if (first === undefined || second === undefined) return [];
        const isApart =
          first.x + first.width <= second.x ||
          second.x + second.width <= first.x ||
          first.y + first.height <= second.y ||
          second.y + second.height <= first.y;
        return isApart ? [] : [`${a.id} and ${b.id}`];
      }),
    ),
  );
}

describe.each(FRAGMENTS)("the group $fragmentId", ({ definition: fragment }) => {
  test.each(SPOTS)("arrives connected and covers no card at %j", (spot) => {
    const before = withLoop();
    const grown = insertFragment(before, fragment, spot, {})?.definition ?? before;
    expect(definitionSchema.safeParse(grown).success).toBe(true);
    expect(grown.nodes).toHaveLength(before.nodes.length + fragment.nodes.length);
    const added = grown.nodes.filter(({ id }) => !before.nodes.some((node) => node.id === id));
    const reached = new Set(grown.edges.map(({ target }) => target));
    const isFirst = (id: string) => id === added[0]?.id;
    const alone = added.filter(({ id, parentId }) => !reached.has(id) && !isFirst(id) && parentId === undefined);
    expect(alone).toEqual([]);
    expect(covered(grown)).toEqual(covered(before));
  });
});

test("references in a group that is inserted twice stay in their own group", () => {
  const report = FRAGMENTS.find(({ fragmentId }) => fragmentId === "fetch-and-report");
  const fragment = report?.definition ?? { nodes: [], edges: [] };
  const spot = { kind: "free", position: { x: 0, y: 0 } } as const;
  const once = insertFragment({ nodes: [], edges: [] }, fragment, spot, {});
  const twice = insertFragment(once?.definition ?? fragment, fragment, spot, {});
  const inputs = twice?.definition.nodes.filter(({ type }) => type === "code").map(({ data }) => data.input);
  expect(inputs).toEqual([
    { figures: "{{figures.body}}", at: "{{trigger.output.timestamp}}" },
    { figures: "{{figures_2.body}}", at: "{{trigger.output.timestamp}}" },
  ]);
});
