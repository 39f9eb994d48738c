import type { GraphEdge } from "#lib/contract/graph";

/** How a step ended, as far as its edges care. `handle` is the output that a branching node chose. */
export type Settled = { kind: "passed"; output: unknown; handle: string | null } | { kind: "skipped" };

/**
 * decisions, The graph document: an edge without sourceHandle is taken when its source completed; one with a handle
 * when the source chose it. A step that failed and continued has passed and chosen nothing. What comes after a
 * skipped step is not taken.
 */
export function isTaken(edge: GraphEdge, source: Settled): boolean {
  if (source.kind === "skipped") return false;
  return edge.sourceHandle == null || edge.sourceHandle === source.handle;
}
