import type { GraphNode } from "#lib/contract/workflow/graph";
import { ADDRESS_FIELD, type GraphIndex, readsAddress, upstreamIds } from "#lib/core/graph/edges";
import { isEnd } from "@/components/canvas/document/branches-of";
import { loopsAround } from "@/components/canvas/document/frames";

/** What a later step can read of a step: its output, its current item, or only its address. */
export type Readable = "output" | "item" | "address";

export interface EarlierNode {
  node: GraphNode;
  reads: Readable;
}

/**
 * Returns the steps that have run before a node, nearest first, and then the steps that run later but whose address the
 * node can pass on. Loops around the node provide their current item.
 */
export function earlierNodes(index: GraphIndex, nodeId: string): EarlierNode[] {
  const ids = upstreamIds(index, nodeId);
  ids.delete(nodeId);
  const around = new Set(loopsAround(index.definition, nodeId));
  const earlier = [...ids].flatMap((id): EarlierNode[] => {
    const node = index.nodes.get(id);
    return node === undefined || isEnd(node) ? [] : [{ node, reads: around.has(id) ? "item" : "output" }];
  });
  ids.add(nodeId);
  const later = [...index.nodes.values()]
    .filter((node) => !ids.has(node.id) && readsAddress(node, [ADDRESS_FIELD], around))
    .map((node): EarlierNode => ({ node, reads: "address" }));
  return [...earlier, ...later];
}
