import type { GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import { type GraphIndex, upstreamIds } from "#lib/core/graph/edges";
import { nodeLabel } from "#lib/core/steps/node-data";

/** Checks that the graph has no cycles and that every node can be reached. */
export function checkPaths(index: GraphIndex, upstream: ReadonlyMap<string, Set<string>>): GraphProblem[] {
  return [...checkCycles(index, upstream), ...checkReachable(index, upstream)];
}

/** Maps each node's id to the nodes it can see. */
export function upstreamOfAll(index: GraphIndex): Map<string, Set<string>> {
  return new Map(Array.from(index.nodes.keys(), (id) => [id, upstreamIds(index, id)]));
}

/**
 * Finds cycles: nodes on a cycle see each other. Reports one problem for each group of such nodes, at its first node.
 */
function checkCycles(index: GraphIndex, upstream: ReadonlyMap<string, Set<string>>): GraphProblem[] {
  const problems: GraphProblem[] = [];
  const told = new Set<string>();
  for (const [id, node] of index.nodes) {
    const above = upstream.get(id) ?? new Set();
    if (told.has(id) || !above.has(id)) continue;
    const group: GraphNode[] = [];
    for (const [otherId, other] of index.nodes) {
      if (above.has(otherId) && upstream.get(otherId)?.has(id)) group.push(other);
    }
    for (const member of group) told.add(member.id);
    // `checkEdges` reports an edge from a node to itself.
    if (group.length < 2) continue;
    const names = group.map(nodeLabel).join(", ");
    problems.push(nodeProblem(node, "CYCLE", `edges must not form a cycle, but these steps do: ${names}`));
  }
  return problems;
}

/**
 * Finds nodes that cannot be reached from the entry. The contents of a reachable loop are reachable. Without an entry,
 * reports nothing.
 */
function checkReachable(index: GraphIndex, upstream: ReadonlyMap<string, Set<string>>): GraphProblem[] {
  const { entry } = index;
  if (!entry) return [];
  const problems: GraphProblem[] = [];
  for (const [id, node] of index.nodes) {
    if (node === entry || node.type === entry.type || upstream.get(id)?.has(entry.id)) continue;
    problems.push(nodeProblem(node, "UNREACHABLE_NODE", `this step cannot be reached from ${nodeLabel(entry)}`));
  }
  return problems;
}
