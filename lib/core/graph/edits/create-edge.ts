import type { GraphEdge } from "#lib/contract/graph";

/** An edge before it exists. */
export interface Connection {
  source: string;
  sourceHandle?: string | null | undefined;
  target: string;
}

/** True when the edge leads from the same way out of the same node to the same node. */
export function isSameWay(edge: Connection, connection: Connection): boolean {
  return (
    edge.source === connection.source &&
    edge.target === connection.target &&
    (edge.sourceHandle ?? null) === (connection.sourceHandle ?? null)
  );
}

/** The edge for a connection, with an id no edge has yet. */
export function createEdge(edges: readonly GraphEdge[], connection: Connection): GraphEdge {
  const { source, target } = connection;
  const handle = connection.sourceHandle ?? null;
  const taken = new Set(edges.map((edge) => edge.id));
  const base = handle === null ? `${source}-${target}` : `${source}.${handle}-${target}`;
  let id = base;
  for (let suffix = 2; taken.has(id); suffix += 1) id = `${base}-${suffix}`;
  return { id, source, target, ...(handle === null ? {} : { sourceHandle: handle }) };
}
