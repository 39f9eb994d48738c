import type { AlertKind, EventType } from "#lib/contract/event/outbound-event";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatCount, formatPercent } from "#lib/support/format/format-number";

/** The description of each event, for the user who selects events. */
export const EVENT_WORDS: Record<EventType, string> = {
  "run.succeeded": "A run succeeds",
  "run.failed": "A run fails",
  "run.timed_out": "A run times out",
  "run.cancelled": "A run is cancelled",
  "run.waiting_for_approval": "A run waits for approval",
  "circuit.opened": "Calls to a connector are paused after repeated failures",
  "schedule.missed": "A schedule misses its time",
  "listener.failed": "A connection's events can't be received",
  "listener.recovered": "A connection's events are received again",
  "alert.fired": "An alert fires",
  "alert.recovered": "An alert recovers",
  "action.breaking_change": "An API key publishes a breaking change",
  "action.approval_removed": "An API key publishes a version that has weaker approvals",
};

interface RuleWords {
  threshold: number;
  window_minutes: number;
  min_runs: number;
}

/** Returns a rule as a sentence. */
export function describeRule(
  kind: AlertKind,
  { threshold, window_minutes: minutes, min_runs: runs }: RuleWords,
): string {
  switch (kind) {
    case "failures_in_a_row":
      return threshold === 1 ? "A run fails" : `${formatCount(threshold, "run")} fail in a row`;
    case "error_rate":
      return `${formatPercent(threshold / 100)} or more of runs fail within ${formatDuration(minutes * 60_000)} (minimum: ${formatCount(runs, "run")})`;
    case "slow":
      return `The 95th percentile duration of successful runs within ${formatDuration(minutes * 60_000)} is above ${formatDuration(threshold)} (minimum: ${formatCount(runs, "run")})`;
  }
}
