import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { framesOf, ROOT } from "@/components/canvas/document/frames";
import { hasSameBranches } from "@/components/canvas/document/step-order";
import { readPart } from "@/components/canvas/layout/part-graph";

interface Known {
  nodes: readonly GraphNode[];
  ids: readonly string[];
}

const known = new WeakMap<Definition["edges"], Known>();

/**
 * Returns the node ids in the order of the Tab key: along the graph, one branch after the other, a loop before its
 * body. The order never depends on positions, because moving an element in the page takes its focus away.
 */
export function focusOrder(definition: Definition): readonly string[] {
  const { nodes, edges } = definition;
  const before = known.get(edges);
  if (before !== undefined && isSameGraph(before.nodes, nodes)) return before.ids;
  const ids = orderFrame(definition, ROOT);
  known.set(edges, { nodes, ids });
  return ids;
}

function orderFrame(definition: Definition, frame: string): string[] {
  const { bodyOf } = framesOf(definition);
  return readPart(definition, bodyOf.get(frame) ?? []).order.flatMap((id) =>
    bodyOf.has(id) ? [id, ...orderFrame(definition, id)] : [id],
  );
}

/** The data of a node matters only for the order of its branches. */
function isSameGraph(before: readonly GraphNode[], nodes: readonly GraphNode[]): boolean {
  if (before.length !== nodes.length) return false;
  return nodes.every((node, at) => {
    const former = before[at];
    return node === former || (former !== undefined && hasSameBranches(former, node));
  });
}
