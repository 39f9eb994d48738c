import type { StepErrorPayload } from "#lib/contract/run/step-error";
import type { GraphEdge } from "#lib/contract/workflow/graph";

/** The branch that a step takes when it has failed, if an edge starts there. */
export const FAILED_HANDLE = "failed";

/** The result of a step, as far as its edges depend on it. `handle` is the branch that the node chose. */
export type Settled =
  | { kind: "passed"; output: unknown; handle: string | null }
  /** The run continues: on the Failed branch, or as if the step had completed (`continueOnFailure`). */
  | { kind: "failed"; error: StepErrorPayload | null; takesFailedBranch: boolean }
  | { kind: "skipped" }
  /** The step is disabled: it has no output, and the run continues on its first branch. */
  | { kind: "bypassed"; handle: string | null };

/**
 * Decides whether an edge is taken (decisions, The graph document). An edge without `sourceHandle` is taken when its
 * source completed; an edge with a handle is taken when the source chose that handle. A step that failed takes its Failed
 * branch and nothing else; one that continues without that branch counts as completed without a choice. Edges from a
 * skipped step are not taken.
 */
export function isTaken(edge: Pick<GraphEdge, "sourceHandle">, source: Settled): boolean {
  if (source.kind === "skipped") return false;
  if (source.kind === "failed")
    return (edge.sourceHandle ?? null) === (source.takesFailedBranch ? FAILED_HANDLE : null);
  return edge.sourceHandle == null || edge.sourceHandle === source.handle;
}
