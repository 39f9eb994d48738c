import type { z } from "zod";
import type { TerminalRunStatus } from "#lib/contract/run";
import type {
  onboardingSchema,
  runUsageSchema,
  usageDaySchema,
  usageDurationsSchema,
  usageOfKeySchema,
  usageOfWorkflowSchema,
} from "#lib/contract/web/run-usage-schema";

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
export type UsageDurations = z.output<typeof usageDurationsSchema>;

export type UsageDay = z.output<typeof usageDaySchema>;

export type UsageOfWorkflow = z.output<typeof usageOfWorkflowSchema>;

export type UsageOfKey = z.output<typeof usageOfKeySchema>;

/** The runs of some days of the last thirty, without tests and dry runs. */
export type RunUsageObject = z.output<typeof runUsageSchema>;

/** How far a workspace is on its way to the first call. */
export type OnboardingObject = z.output<typeof onboardingSchema>;
