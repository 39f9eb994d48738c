import type { ActionActivity } from "#lib/contract/action/action";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatNumber, formatPercent } from "#lib/support/format/format-number";

export function showCalls({ calls, has_more: hasMore }: ActionActivity): string {
  return `${formatNumber(calls)}${hasMore ? "+" : ""}`;
}

export function showErrorRate({ error_rate: rate }: ActionActivity): string {
  return formatPercent(rate);
}

export function showDuration({ p95_ms: ms }: ActionActivity): string {
  return formatDuration(ms);
}

/** Returns the three numbers as one sentence. */
export function describeActivity(activity: ActionActivity): string {
  if (activity.calls === 0) return "None";
  if (activity.error_rate === null) return showCalls(activity);
  return `${showCalls(activity)}, ${showErrorRate(activity)} failed, 95% within ${showDuration(activity)}`;
}
