import type { JournalEventObject, StepItem } from "#lib/contract/run/journal";
import type { StepErrorPayload } from "#lib/contract/run/step-error";

/** One attempt of a step. */
export interface Attempt {
  number: number;
  startedAt: string;
  /** Null while it continues, or if the journal does not record it. */
  durationMs: number | null;
  outcome: "running" | "succeeded" | "failed" | "lost" | "cancelled" | "stopped";
  error: StepErrorPayload | null;
  /** The pause before the next attempt; null for the last one. */
  pauseMs: number | null;
}

/**
 * Returns the attempts of a step from its journal entries. The end of an attempt that was followed by another is
 * recorded with the next one. The last attempt of a step that ended with its run has no entry of its end.
 */
export function listAttempts(
  events: readonly JournalEventObject[],
  { status, completed_at: endedAt }: Pick<StepItem, "status" | "completed_at">,
): Attempt[] {
  const starts = events.filter(({ event }) => event === "step_started");
  const end = events.findLast(({ event }) => event !== "step_started" && event !== "step_pending_approval");
  return starts.map((start, index) => {
    const next = starts[index + 1];
    const attempt = { number: start.attempt, startedAt: start.at };
    if (next !== undefined) {
      const durationMs = next.durationMs ?? null;
      const apartMs = Date.parse(next.at) - Date.parse(start.at);
      return {
        ...attempt,
        durationMs,
        outcome: next.error === undefined ? "lost" : "failed",
        error: next.error ?? null,
        pauseMs: durationMs === null ? null : Math.max(0, apartMs - durationMs),
      };
    }
    if (end === undefined && endedAt !== null && (status === "cancelled" || status === "stopped")) {
      const durationMs = Math.max(0, Date.parse(endedAt) - Date.parse(start.at));
      return { ...attempt, durationMs, outcome: status, error: null, pauseMs: null };
    }
    if (end === undefined) return { ...attempt, durationMs: null, outcome: "running", error: null, pauseMs: null };
    const durationMs = end.durationMs ?? Math.max(0, Date.parse(end.at) - Date.parse(start.at));
    const outcome = end.event === "step_completed" ? "succeeded" : "failed";
    return { ...attempt, durationMs, outcome, error: end.error ?? null, pauseMs: null };
  });
}
