import { FAILED_RUN_STATUSES, MEASURED_RUN_STATUSES } from "#lib/contract/run";
import { USAGE_STATUSES, type UsageCounts, type UsageStatus } from "#lib/contract/web/run-usage";
import { RUN_STATUS_LOOK } from "@/components/words/status";

export function usageStatusWord(status: UsageStatus): string {
  return status === "open" ? "Open" : RUN_STATUS_LOOK[status].word;
}

/** Of the fills, from the bottom of a bar to its top. */
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

/** Failed and timed out, of what succeeded or failed; null where nothing did. */
export function failureRate(counts: UsageCounts): string | null {
  const sum = (statuses: readonly UsageStatus[]) => statuses.reduce((runs, status) => runs + counts[status], 0);
  const ended = sum(MEASURED_RUN_STATUSES);
  if (ended === 0) return null;
  const percent = (sum(FAILED_RUN_STATUSES) / ended) * 100;
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}

/** "12,345" */
export function describeCount(count: number): string {
  return count.toLocaleString("en-GB");
}

/** "21 Nov" of YYYY-MM-DD. */
export function describeDay(day: string): string {
  const options = { day: "numeric", month: "short", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat("en-GB", options).format(new Date(`${day}T12:00:00Z`));
}
