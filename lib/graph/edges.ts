import { type Definition, ENTRY_NAMES, type GraphEdge, type GraphNode } from "#lib/contract/graph";
import { NODE_KINDS } from "#lib/graph/node-kinds";

/** A definition ready to be asked about its edges. Build it once and keep it beside the definition. */
export interface GraphIndex {
  definition: Definition;
  /** By id; of several nodes with one id, the first. */
  nodes: ReadonlyMap<string, GraphNode>;
  /** Edges into each node, in the definition's order. Edges with an unknown end are left out. */
  incoming: ReadonlyMap<string, readonly GraphEdge[]>;
  outgoing: ReadonlyMap<string, readonly GraphEdge[]>;
  /** The node that receives the caller's input or the event; null in a draft without one. */
  entry: GraphNode | null;
}

export function indexGraph(definition: Definition): GraphIndex {
  const nodes = new Map<string, GraphNode>();
  const incoming = new Map<string, GraphEdge[]>();
  const outgoing = new Map<string, GraphEdge[]>();
  for (const node of definition.nodes) {
    if (nodes.has(node.id)) continue;
    nodes.set(node.id, node);
    incoming.set(node.id, []);
    outgoing.set(node.id, []);
  }
  for (const edge of definition.edges) {
    const into = incoming.get(edge.target);
    const from = outgoing.get(edge.source);
    if (!into || !from) continue;
    into.push(edge);
    from.push(edge);
  }
  const entry = definition.nodes.find((node) => NODE_KINDS[node.type].starts !== null) ?? null;
  return { definition, nodes, incoming, outgoing, entry };
}

/**
 * The node an expression means by a name: a node's id, or `action_input` and `trigger` for the entry whatever its id
 * (decisions, The graph document).
 */
export function findNamedNode(index: GraphIndex, name: string): GraphNode | null {
  const { entry } = index;
  if ((ENTRY_NAMES as readonly string[]).includes(name)) return entry?.type === name ? entry : null;
  return index.nodes.get(name) ?? null;
}

/**
 * The ids of all nodes that have run, or were skipped, before this one starts: what its expressions may name.
 * Nearest first. A node inside a loop also sees the loop itself and whatever the loop sees; nodes outside a loop do
 * not see into its body.
 */
export function upstreamIds(index: GraphIndex, nodeId: string): Set<string> {
  const found = new Set<string>();
  addSources(index, nodeId, found);
  // A set hands out what is added while it is walked, so this goes on until nothing new is found.
  for (const id of found) addSources(index, id, found);
  return found;
}

function addSources(index: GraphIndex, nodeId: string, found: Set<string>): void {
  for (const edge of index.incoming.get(nodeId) ?? []) found.add(edge.source);
  const parentId = index.nodes.get(nodeId)?.parentId;
  if (parentId !== undefined) found.add(parentId);
}
