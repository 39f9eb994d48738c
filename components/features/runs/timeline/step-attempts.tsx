import { clsx } from "clsx";
import type { JournalEventObject, StepItem } from "#lib/contract/run/journal";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatInstant } from "#lib/support/format/format-moment";
import { type Attempt, listAttempts } from "@/components/features/runs/timeline/list-attempts";

interface StepAttemptsProps {
  step: StepItem;
  events: readonly JournalEventObject[];
}

/** Lists each attempt of a step: when, for how long, how it ended, and the pause before the next. */
export function StepAttempts({ step, events }: StepAttemptsProps) {
  const attempts = listAttempts(events, step);
  if (attempts.length === 0) return <p className="text-text-2">This step has no recorded attempts.</p>;
  return (
    <ol aria-label={`Attempts of ${step.name}`} className="flex flex-col">
      {attempts.map((attempt) => (
        <li key={attempt.number} className="border-l-2 border-border pb-4 pl-3 last:pb-0">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">Attempt {attempt.number}</span>
            <span className={clsx(attempt.outcome === "failed" ? "text-err" : "text-text-2")}>
              {OUTCOME_WORDS[attempt.outcome]}
            </span>
            {attempt.durationMs === null ? null : (
              <span className="font-mono text-dense text-text-2">{formatDuration(attempt.durationMs)}</span>
            )}
          </p>
          <p className="text-dense text-text-3">{formatInstant(attempt.startedAt)}</p>
          {attempt.error === null ? null : (
            <p className="mt-1 font-mono text-dense [overflow-wrap:anywhere] whitespace-pre-wrap">
              {attempt.error.code}: {attempt.error.message}
            </p>
          )}
          {attempt.pauseMs === null ? null : (
            <p className="mt-1 text-dense text-text-2">{pauseWords(attempt.pauseMs, attempt)}</p>
          )}
        </li>
      ))}
    </ol>
  );
}

const OUTCOME_WORDS: Record<Attempt["outcome"], string> = {
  running: "is running",
  succeeded: "succeeded",
  failed: "failed",
  lost: "was cut off because its worker stopped",
  cancelled: "was cancelled with the run",
  stopped: "was stopped because the run ended",
};

function pauseWords(pauseMs: number, { error }: Attempt): string {
  const asked =
    error?.retryAfterMs === undefined ? "" : `, as long as the service asked (${formatDuration(error.retryAfterMs)})`;
  return `Then waited ${formatDuration(pauseMs)}${asked}.`;
}
