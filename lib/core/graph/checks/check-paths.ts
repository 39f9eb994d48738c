import type { GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import { type GraphIndex, upstreamIds } from "#lib/core/graph/edges";
import { nodeLabel } from "#lib/core/steps/node-data";

/** Work flows forward only, and every node can be reached. */
export function checkPaths(index: GraphIndex, upstream: ReadonlyMap<string, Set<string>>): GraphProblem[] {
  return [...checkCycles(index, upstream), ...checkReachable(index, upstream)];
}

/** What each node can see, by id. */
export function upstreamOfAll(index: GraphIndex): Map<string, Set<string>> {
  return new Map(Array.from(index.nodes.keys(), (id) => [id, upstreamIds(index, id)]));
}

/** Nodes that see each other stand on a cycle: one problem for each such group, at its first node. */
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
    // An edge from a node to itself is told as such.
    if (group.length < 2) continue;
    const names = group.map(nodeLabel).join(", ");
    problems.push(nodeProblem(node, "CYCLE", `work can only flow forward, but these nodes form a circle: ${names}`));
  }
  return problems;
}

/** Reached are the entry, what follows it, and what a reached loop holds. Without an entry nothing is told. */
function checkReachable(index: GraphIndex, upstream: ReadonlyMap<string, Set<string>>): GraphProblem[] {
  const { entry } = index;
  if (!entry) return [];
  const problems: GraphProblem[] = [];
  for (const [id, node] of index.nodes) {
    if (node === entry || node.type === entry.type || upstream.get(id)?.has(entry.id)) continue;
    problems.push(nodeProblem(node, "UNREACHABLE_NODE", `no path leads here from ${nodeLabel(entry)}`));
  }
  return problems;
}
