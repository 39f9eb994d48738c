import { LIMITS } from "#lib/contract/limits";
import { limitsOfPlan, type Plan } from "#lib/contract/plans";
import type { RunError } from "#lib/contract/run";
import { StepError } from "#lib/contract/step-error";
import { env } from "#lib/platform/config/env";

export interface RunLimits {
  /** Runs per user and sliding hour; 0 means no limit (contract, Limits). */
  perUserPerHour: number;
  /** Runs per workspace and calendar month in UTC; 0 means no limit (decisions, Runs). */
  perMonth: number;
}

/** Returns the limits of a workspace's plan, or the operator's overrides. */
export function runLimits(plan: Plan): RunLimits {
  return {
    perUserPerHour: env().RUNS_PER_USER_PER_HOUR ?? LIMITS.runsPerUserPerHour,
    perMonth: env().RUNS_PER_MONTH ?? limitsOfPlan(plan).runsPerMonth ?? 0,
  };
}

/**
 * Builds the message of a limit, the same for a caller and for a run that an event started (decisions, Runs: user
 * limit).
 */
export function limitMessages(limits: RunLimits): { user_limit: string; month_limit: string } {
  return {
    user_limit: `Run limit exceeded (${limits.perUserPerHour} per hour)`,
    month_limit: `Run quota exceeded (${limits.perMonth} per month)`,
  };
}

/** `run.error` of a run that an event started above a limit: it fails before any step. */
export function limitErrors(limits: RunLimits): Record<"user_limit" | "month_limit", RunError> {
  const { user_limit, month_limit } = limitMessages(limits);
  return {
    user_limit: new StepError("user_run_limit", user_limit).toPayload(),
    month_limit: new StepError("monthly_run_quota", month_limit).toPayload(),
  };
}
