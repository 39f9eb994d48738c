import type { JournalEventObject } from "#lib/contract/journal";
import type { StepErrorPayload } from "#lib/contract/step-error";

/** One try of a step. */
export interface Attempt {
  number: number;
  startedAt: string;
  /** Null while it goes on, and where the journal does not say. */
  durationMs: number | null;
  outcome: "running" | "succeeded" | "failed" | "lost";
  error: StepErrorPayload | null;
  /** How long nothing happened before the next began; null of the last. */
  pauseMs: number | null;
}

/** The attempts of a step by its own journal entries. How one ended that was followed by another stands with the next. */
export function listAttempts(events: readonly JournalEventObject[]): Attempt[] {
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
    if (end === undefined) return { ...attempt, durationMs: null, outcome: "running", error: null, pauseMs: null };
    const durationMs = end.durationMs ?? Math.max(0, Date.parse(end.at) - Date.parse(start.at));
    const outcome = end.event === "step_completed" ? "succeeded" : "failed";
    return { ...attempt, durationMs, outcome, error: end.error ?? null, pauseMs: null };
  });
}
