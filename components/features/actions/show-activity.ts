import type { ActionActivity } from "#lib/contract/action";
import { describeDuration } from "@/components/words/format-time";

const NONE = "–";

export function showCalls({ calls, has_more: hasMore }: ActionActivity): string {
  return `${calls.toLocaleString("en")}${hasMore ? "+" : ""}`;
}

export function showErrorRate({ error_rate: rate }: ActionActivity): string {
  if (rate === null) return NONE;
  const percent = rate * 100;
  return percent > 0 && percent < 1 ? "<1%" : `${Math.round(percent)}%`;
}

export function showDuration({ p95_ms: ms }: ActionActivity): string {
  return ms === null ? NONE : describeDuration(ms);
}

/** The three numbers as a sentence. */
export function describeActivity(activity: ActionActivity): string {
  if (activity.calls === 0) return "None";
  if (activity.error_rate === null) return showCalls(activity);
  return `${showCalls(activity)}, ${showErrorRate(activity)} failed, 95% within ${showDuration(activity)}`;
}
