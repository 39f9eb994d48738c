import type { GraphEdge } from "#lib/contract/graph";

/** The result of a step, as far as its edges depend on it. `handle` is the branch that the node chose. */
export type Settled = { kind: "passed"; output: unknown; handle: string | null } | { kind: "skipped" };

/**
 * Decides whether an edge is taken (decisions, The graph document). An edge without `sourceHandle` is taken when its
 * source completed; an edge with a handle is taken when the source chose that handle. A step that failed and continued
 * counts as passed without a choice. Edges from a skipped step are not taken.
 */
export function isTaken(edge: GraphEdge, source: Settled): boolean {
  if (source.kind === "skipped") return false;
  return edge.sourceHandle == null || edge.sourceHandle === source.handle;
}
