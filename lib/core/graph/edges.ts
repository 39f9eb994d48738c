import type { Definition, GraphEdge, GraphNode } from "#lib/contract/workflow/graph";
import { ENTRY_NAMES, STEP_KINDS } from "#lib/core/steps/step-kinds";

/** An index of a definition for looking up nodes and edges. Build it once and keep it with the definition. */
export interface GraphIndex {
  definition: Definition;
  /** Nodes by id. If several nodes have the same id, the first one. */
  nodes: ReadonlyMap<string, GraphNode>;
  /** Edges into each node, in the definition's order. Edges with an unknown end are left out. */
  incoming: ReadonlyMap<string, readonly GraphEdge[]>;
  outgoing: ReadonlyMap<string, readonly GraphEdge[]>;
  /** The node that receives the caller's input or the event; null in a draft without one. */
  entry: GraphNode | null;
}

/** @param before an earlier index; its edge maps are reused, by reference, if all paths between nodes are the same */
export function indexGraph(definition: Definition, before: GraphIndex | null = null): GraphIndex {
  const nodes = new Map<string, GraphNode>();
  for (const node of definition.nodes) if (!nodes.has(node.id)) nodes.set(node.id, node);
  const entry = definition.nodes.find((node) => STEP_KINDS[node.type].starts !== null) ?? null;
  const isSame = before !== null && hasSamePaths(before.definition, definition);
  const { incoming, outgoing } = isSame ? before : indexEdges(nodes, definition.edges);
  return { definition, nodes, incoming, outgoing, entry };
}

function indexEdges(nodes: GraphIndex["nodes"], edges: readonly GraphEdge[]) {
  const incoming = new Map<string, GraphEdge[]>();
  const outgoing = new Map<string, GraphEdge[]>();
  for (const id of nodes.keys()) {
    incoming.set(id, []);
    outgoing.set(id, []);
  }
  for (const edge of edges) {
    const into = incoming.get(edge.target);
    const from = outgoing.get(edge.source);
    if (!into || !from) continue;
    into.push(edge);
    from.push(edge);
  }
  return { incoming, outgoing };
}

/** Returns true if the same edges connect the same nodes, each in the same loop as before. */
function hasSamePaths(before: Definition, { nodes, edges }: Definition): boolean {
  if (before.edges !== edges || before.nodes.length !== nodes.length) return false;
  return nodes.every((node, at) => {
    const former = before.nodes[at];
    return node === former || (node.id === former?.id && node.parentId === former.parentId);
  });
}

/**
 * Finds the node that a name in an expression refers to: a node's id, or `action_input` and `trigger` for the entry,
 * whatever its id is (decisions, The graph document).
 */
export function findNamedNode(index: GraphIndex, name: string): GraphNode | null {
  const { entry } = index;
  if (ENTRY_NAMES.includes(name)) return entry?.type === name ? entry : null;
  return index.nodes.get(name) ?? null;
}

/**
 * Lists the ids of all nodes that have run or were skipped before this node starts, nearest first. Its expressions can
 * refer to these nodes. A node inside a loop also sees the loop itself and everything the loop sees; nodes outside a
 * loop do not see its body.
 */
export function upstreamIds(index: GraphIndex, nodeId: string): Set<string> {
  const found = new Set<string>();
  addSources(index, nodeId, found);
  // Iterating a Set includes entries added during the iteration, so the loop runs until it finds nothing new.
  for (const id of found) addSources(index, id, found);
  return found;
}

/** The part of a step's output that exists before the step runs. */
export const ADDRESS_FIELD = "callback_url";

/**
 * Returns true if an expression reads the address of a step, which exists from the start for all steps of the same loop
 * and of the loops inside it (decisions, Callbacks).
 * @param loopIds the loops around the reader
 */
export function readsAddress(
  target: GraphNode,
  path: readonly (string | number)[],
  loopIds: ReadonlySet<string>,
): boolean {
  if (!STEP_KINDS[target.type].hasAddress || path[0] !== ADDRESS_FIELD) return false;
  return target.parentId === undefined || loopIds.has(target.parentId);
}

/** Lists the loops around a node. */
export function loopIdsAround(index: GraphIndex, node: GraphNode): Set<string> {
  const ids = new Set<string>();
  for (let id = node.parentId; id !== undefined && !ids.has(id); id = index.nodes.get(id)?.parentId) ids.add(id);
  return ids;
}

function addSources(index: GraphIndex, nodeId: string, found: Set<string>): void {
  for (const edge of index.incoming.get(nodeId) ?? []) found.add(edge.source);
  const parentId = index.nodes.get(nodeId)?.parentId;
  if (parentId !== undefined) found.add(parentId);
}
