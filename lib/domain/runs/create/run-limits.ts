import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { RunError } from "#lib/contract/run/run";
import { StepError } from "#lib/contract/run/step-error";
import { limitsOfPlan, type Plan } from "#lib/contract/workspace/plans";
import { env } from "#lib/platform/config/env";

export interface RunLimits {
  /** Runs per user and sliding hour; 0 means no limit (contract, Limits). */
  perUserPerHour: number;
  /** How many of those events may start (decisions, Runs: events). */
  eventsPerUserPerHour: number;
  /** Runs per workspace and calendar month in UTC; 0 means no limit (decisions, Runs). */
  perMonth: number;
}

/** Returns the limits of a workspace's plan, or the operator's overrides. */
export function runLimits(plan: Plan): RunLimits {
  const perUserPerHour = env().RUNS_PER_USER_PER_HOUR ?? LIMITS.runsPerUserPerHour;
  return {
    perUserPerHour,
    eventsPerUserPerHour: Math.ceil((perUserPerHour * LIMITS.eventRunsPerUserPerHour) / LIMITS.runsPerUserPerHour),
    perMonth: env().RUNS_PER_MONTH ?? limitsOfPlan(plan).runsPerMonth ?? 0,
  };
}

/** The limits that a new run can meet, named as the outcomes of create_runs. */
export type RunLimit = "user_limit" | "month_limit";

/** Builds the message of each limit. An event has a share of the user's limit, which the message names. */
function limitMessages(limits: RunLimits, isEvent: boolean): Record<RunLimit, string> {
  const share = isEvent ? `, at most ${limits.eventsPerUserPerHour} of them by events` : "";
  return {
    user_limit: `Run limit exceeded (${limits.perUserPerHour} per hour${share})`,
    month_limit: `Run quota exceeded (${limits.perMonth} per month)`,
  };
}

/** `run.error` of a run that a schedule or a connector event started above a limit: it fails before any step. */
export function limitErrors(limits: RunLimits): Record<RunLimit, RunError> {
  const { user_limit, month_limit } = limitMessages(limits, true);
  return {
    user_limit: new StepError("user_run_limit", user_limit).toPayload(),
    month_limit: new StepError("monthly_run_quota", month_limit).toPayload(),
  };
}

interface Refused {
  limit: RunLimit;
  plan: Plan;
  isEvent: boolean;
  retryAfterSeconds: number | null;
}

/** Builds the answer to a caller who is above a limit. */
export function limitRefusal({ limit, plan, isEvent, retryAfterSeconds }: Refused): ApiError {
  const limits = runLimits(plan);
  const message = limitMessages(limits, isEvent)[limit];
  if (limit === "month_limit") {
    return new ApiError("QUOTA_EXCEEDED", message, { details: { limit: limits.perMonth, plan } });
  }
  return new ApiError("user_run_limit", message, retryAfterSeconds === null ? {} : { retryAfterSeconds });
}
