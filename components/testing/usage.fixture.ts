import type { RunUsageObject, UsageCounts, UsageDay } from "#lib/contract/run/run-usage";
import type { UsageObject } from "#lib/contract/workspace/workspace";

export function usageCounts(changes: Partial<UsageCounts> = {}): UsageCounts {
  return { succeeded: 0, failed: 0, timed_out: 0, cancelled: 0, open: 0, ...changes };
}

/** Returns a day of November 2026, in UTC. */
export function usageDay(dayOfMonth: number, counts: Partial<UsageCounts>, times: Partial<UsageDay> = {}): UsageDay {
  const dayText = (day: number) => `2026-11-${String(day).padStart(2, "0")}`;
  return {
    day: dayText(dayOfMonth),
    from: `${dayText(dayOfMonth)}T00:00:00.000Z`,
    to: `${dayText(dayOfMonth + 1)}T00:00:00.000Z`,
    counts: usageCounts(counts),
    p50_ms: null,
    p95_ms: null,
    ...times,
  };
}

/** Returns two days without runs. */
export function runUsage(changes: Partial<RunUsageObject> = {}): RunUsageObject {
  return {
    time_zone: "UTC",
    days: [usageDay(1, {}), usageDay(2, {})],
    counts: usageCounts(),
    p50_ms: null,
    p95_ms: null,
    workflows: [],
    keys: [],
    errors: [],
    ...changes,
  };
}

export function planUsage(changes: Partial<UsageObject> = {}): UsageObject {
  return {
    plan: "free",
    month: "2026-11-01",
    runs: { used: 250, limit: 1_000 },
    own_runs: { used: 0, limit: 100 },
    keys: { used: 1, limit: 3 },
    members: 1,
    definition_bytes: { used: 2_097_152, limit: 67_108_864 },
    requests_per_window: 60,
    ...changes,
  };
}
