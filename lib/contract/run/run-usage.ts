import type { z } from "zod";
import type { TerminalRunStatus } from "#lib/contract/run/run";
import type {
  onboardingSchema,
  runUsageSchema,
  usageDaySchema,
  usageDurationsSchema,
  usageOfKeySchema,
  usageOfWorkflowSchema,
} from "#lib/contract/run/run-usage-schema";

/** How runs are grouped when they are counted; `open` runs have not ended. */
export type UsageStatus = TerminalRunStatus | "open";
/** The order of a chart's bars, from the bottom. */
export const USAGE_STATUSES = [
  "succeeded",
  "failed",
  "timed_out",
  "cancelled",
  "open",
] as const satisfies readonly UsageStatus[];
export type UsageCounts = Record<UsageStatus, number>;

/** The number of days that are shown, including today. */
export const USAGE_DAYS = 30;

/**
 * The median and 95th percentile of the duration of successful runs, in ms; null if none succeeded. Accurate to five
 * percent.
 */
export type UsageDurations = z.output<typeof usageDurationsSchema>;

export type UsageDay = z.output<typeof usageDaySchema>;

export type UsageOfWorkflow = z.output<typeof usageOfWorkflowSchema>;

export type UsageOfKey = z.output<typeof usageOfKeySchema>;

/** The runs of some of the last thirty days, without tests and dry runs. */
export type RunUsageObject = z.output<typeof runUsageSchema>;

/** How far a workspace has come toward its first call. */
export type OnboardingObject = z.output<typeof onboardingSchema>;
