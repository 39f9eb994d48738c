import type { TerminalRunStatus } from "#lib/contract/run";

/** How runs are told apart when they are counted; `open` have not ended. */
export type UsageStatus = TerminalRunStatus | "open";
/** In the order of a chart's bars, from the bottom. */
export const USAGE_STATUSES = [
  "succeeded",
  "failed",
  "timed_out",
  "cancelled",
  "open",
] as const satisfies readonly UsageStatus[];
export type UsageCounts = Record<UsageStatus, number>;

/** Days that are shown, today included. */
export const USAGE_DAYS = 30;

/** How long half and 95 of 100 successful runs took at most, in ms; null where none succeeded. Exact to five percent. */
export interface UsageDurations {
  p50_ms: number | null;
  p95_ms: number | null;
}

export interface UsageDay extends UsageDurations {
  /** YYYY-MM-DD in the workspace's time zone. */
  day: string;
  from: string;
  to: string;
  counts: UsageCounts;
}

export interface UsageOfWorkflow extends UsageDurations {
  workflow_id: string;
  name: string;
  action_slug: string | null;
  counts: UsageCounts;
}

export interface UsageOfKey {
  key_id: string;
  name: string;
  prefix: string;
  counts: UsageCounts;
}

/** The runs of some days of the last thirty, without tests and dry runs. */
export interface RunUsageObject extends UsageDurations {
  time_zone: string;
  days: UsageDay[];
  counts: UsageCounts;
  /** The busiest first; no more than twenty. */
  workflows: UsageOfWorkflow[];
  keys: UsageOfKey[];
  errors: { code: string; runs: number }[];
}

/** How far a workspace is on its way to the first call. */
export interface OnboardingObject {
  /** An action that can be called. */
  action_slug: string | null;
  has_key: boolean;
  /** The first run that a key asked for. */
  first_run_id: string | null;
}
