import { USAGE_STATUSES, type UsageCounts, type UsageDurations, type UsageStatus } from "#lib/contract/run/run-usage";

/** A group of similar runs of one day, with their number. */
export interface UsageGroup {
  workflow_id: string;
  action_slug: string | null;
  api_key_id: string | null;
  status: UsageStatus;
  /** Set for runs that failed. */
  code: string | null;
  runs: number;
  /**
   * The number of runs per duration, only of runs that succeeded. The key is the exponent of BUCKET_BASE, in ms,
   * rounded up.
   */
  buckets: Record<string, number> | null;
}

/** Ten percent per bucket: the middle of a bucket is within five percent of everything in it. */
export const BUCKET_BASE = 1.1;

export function countByStatus(groups: readonly UsageGroup[]): UsageCounts {
  const counts = Object.fromEntries(USAGE_STATUSES.map((status) => [status, 0])) as UsageCounts;
  for (const { status, runs } of groups) counts[status] += runs;
  return counts;
}

/**
 * Returns the durations that half and 95 of 100 runs stay below. Buckets of several days can be added, percentiles
 * cannot.
 */
export function deriveDurations(groups: readonly UsageGroup[]): UsageDurations {
  const buckets = new Map<number, number>();
  for (const group of groups) {
    for (const [bucket, runs] of Object.entries(group.buckets ?? {})) {
      buckets.set(Number(bucket), (buckets.get(Number(bucket)) ?? 0) + runs);
    }
  }
  const sorted = [...buckets].sort(([a], [b]) => a - b);
  return { p50_ms: percentile(sorted, 0.5), p95_ms: percentile(sorted, 0.95) };
}

function percentile(sorted: readonly (readonly [number, number])[], share: number): number | null {
  const total = sorted.reduce((sum, [, runs]) => sum + runs, 0);
  let seen = 0;
  for (const [bucket, runs] of sorted) {
    seen += runs;
    if (seen >= total * share) return Math.round(BUCKET_BASE ** (bucket - 0.5));
  }
  return null;
}

/** Groups by the result of `keyOf`, leaving out null. The busiest groups come first. */
export function groupUsage(
  groups: readonly UsageGroup[],
  keyOf: (group: UsageGroup) => string | null,
): { key: string; groups: UsageGroup[]; runs: number }[] {
  const byKey = new Map<string, { key: string; groups: UsageGroup[]; runs: number }>();
  for (const group of groups) {
    const key = keyOf(group);
    if (key === null) continue;
    const found = byKey.get(key) ?? { key, groups: [], runs: 0 };
    found.groups.push(group);
    found.runs += group.runs;
    byKey.set(key, found);
  }
  return [...byKey.values()].sort((a, b) => b.runs - a.runs);
}
