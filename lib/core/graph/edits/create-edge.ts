import type { GraphEdge } from "#lib/contract/workflow/graph";
import { nextFreeName } from "#lib/support/format/next-free-name";

/** An edge that does not have an id yet. */
export interface Connection {
  source: string;
  sourceHandle?: string | null | undefined;
  target: string;
}

/** Returns true if the edge connects the same branch of the same node to the same target. */
export function isSameWay(edge: Connection, connection: Connection): boolean {
  return (
    edge.source === connection.source &&
    edge.target === connection.target &&
    (edge.sourceHandle ?? null) === (connection.sourceHandle ?? null)
  );
}

/** Creates the edge for a connection, with an unused id. */
export function createEdge(edges: readonly GraphEdge[], connection: Connection): GraphEdge {
  const { source, target } = connection;
  const handle = connection.sourceHandle ?? null;
  const taken = new Set(edges.map((edge) => edge.id));
  const base = handle === null ? `${source}-${target}` : `${source}.${handle}-${target}`;
  const id = nextFreeName(base, taken, "-");
  return { id, source, target, ...(handle === null ? {} : { sourceHandle: handle }) };
}
