import { FAILED_RUN_STATUSES, MEASURED_RUN_STATUSES } from "#lib/contract/run/run";
import { USAGE_STATUSES, type UsageCounts, type UsageStatus } from "#lib/contract/run/run-usage";
import { RUN_STATUS_WORDS } from "@/components/words/run-status-words";

export function usageStatusWord(status: UsageStatus): string {
  return status === "open" ? "Open" : RUN_STATUS_WORDS[status];
}

/** The colors of the fills, from the bottom of a bar to its top. */
export const STATUS_FILLS: Record<UsageStatus, string> = {
  succeeded: "fill-ok",
  failed: "fill-err",
  timed_out: "fill-timeout",
  cancelled: "fill-idle",
  open: "fill-run",
};

export function totalOf(counts: UsageCounts): number {
  return USAGE_STATUSES.reduce((sum, status) => sum + counts[status], 0);
}

/** Returns the share of runs that failed or timed out among those that succeeded or failed, or null if there are none. */
export function failureRate(counts: UsageCounts): number | null {
  const sum = (statuses: readonly UsageStatus[]) => statuses.reduce((runs, status) => runs + counts[status], 0);
  const ended = sum(MEASURED_RUN_STATUSES);
  return ended === 0 ? null : sum(FAILED_RUN_STATUSES) / ended;
}
