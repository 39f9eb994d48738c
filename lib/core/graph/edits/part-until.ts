import type { Definition } from "#lib/contract/workflow/graph";
import { indexGraph, upstreamIds } from "#lib/core/graph/edges";

/**
 * Returns the part of a definition that a run up to one step needs: the step and everything upstream of it. A loop
 * upstream is included with its whole body, a loop around the step with what precedes the step in it.
 * @param stepId a node of the definition
 */
export function partUntil(definition: Definition, stepId: string): Definition {
  const { nodes, edges } = definition;
  const index = indexGraph(definition);
  const around = new Set<string>();
  for (let loop = index.nodes.get(stepId)?.parentId; loop !== undefined && !around.has(loop); ) {
    around.add(loop);
    loop = index.nodes.get(loop)?.parentId;
  }
  const kept = new Set([...upstreamIds(index, stepId), stepId]);
  for (const id of kept) {
    if (around.has(id)) continue;
    for (const node of nodes) if (node.parentId === id) kept.add(node.id);
  }
  return {
    nodes: nodes.filter((node) => kept.has(node.id)),
    edges: edges.filter((edge) => kept.has(edge.source) && kept.has(edge.target)),
  };
}
