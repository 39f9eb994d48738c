import type { ApiErrorCode } from "#lib/contract/api-error";
import type { RunErrorCode } from "#lib/contract/run";
import type { StepErrorCode } from "#lib/contract/step-error";

/**
 * What a step or run error means where its code says too little. Each reason belongs to one code, which also decides
 * whether the step is retried (STEP_ERROR_RETRY). An error without a reason of its own has its code's: `timeout` for
 * TIMEOUT. What people are advised to do is keyed by the same names (components/features/runs/error-hints.ts).
 */
export const RUN_ERROR_REASONS = {
  credentials_unreadable: {
    code: "AUTH_EXPIRED",
    meaning: "The stored credentials of the connection cannot be decrypted.",
  },
  user_run_limit: { code: "RATE_LIMITED", meaning: "The user's runs of the last hour are used up." },
  monthly_run_quota: { code: "RATE_LIMITED", meaning: "The workspace's runs of this month are used up." },
  service_refused: { code: "VALIDATION_ERROR", meaning: "The service answered with a status from 400 to 499." },
  address_not_allowed: { code: "VALIDATION_ERROR", meaning: "The step may not call this address." },
  connection_missing: { code: "VALIDATION_ERROR", meaning: "The step has no connection it can use." },
  code_failed: { code: "VALIDATION_ERROR", meaning: "The code of the step threw an error." },
  data_too_large: { code: "VALIDATION_ERROR", meaning: "A value is too large, or nested too deeply." },
  service_timeout: { code: "TIMEOUT", meaning: "The service did not answer in time." },
  step_time_limit: { code: "TIMEOUT", meaning: "The step used up its time." },
  run_time_limit: { code: "TIMEOUT", meaning: "The whole run used up its time." },
  code_time_limit: { code: "TIMEOUT", meaning: "The code of the step used up its time." },
  circuit_open: { code: "UPSTREAM_ERROR", meaning: "Calls are paused because the service failed too often." },
  service_unreachable: { code: "UPSTREAM_ERROR", meaning: "The service cannot be reached." },
  answer_unreadable: { code: "UPSTREAM_ERROR", meaning: "The service answered something that cannot be read." },
  worker_lost: { code: "UNKNOWN", meaning: "The run ended every worker that executed it." },
  internal_failure: { code: "UNKNOWN", meaning: "Signalbox could not execute the run; the workflow is not at fault." },
  version_missing: { code: "UNKNOWN", meaning: "The version of the workflow no longer exists." },
} as const satisfies Record<string, { code: StepErrorCode; meaning: string }>;

export type SpecificRunErrorReason = keyof typeof RUN_ERROR_REASONS;
export const SPECIFIC_RUN_ERROR_REASONS = Object.keys(RUN_ERROR_REASONS) as SpecificRunErrorReason[];
export type StepErrorReason = SpecificRunErrorReason | Lowercase<StepErrorCode>;
export type RunErrorReason = SpecificRunErrorReason | Lowercase<RunErrorCode>;

export function isRunErrorReason(reason: string): reason is SpecificRunErrorReason {
  return Object.hasOwn(RUN_ERROR_REASONS, reason);
}

/**
 * What an API error means where its code says too little. Each reason belongs to one code; an error without a reason of
 * its own has its code's: `not_found` for NOT_FOUND. What people are advised to do is keyed by the same names
 * (components/api/refusal-advice.ts).
 */
export const API_ERROR_REASONS = {
  api_key_revoked: { code: "UNAUTHORIZED", meaning: "The key was revoked." },
  not_signed_in: { code: "UNAUTHORIZED", meaning: "The browser has no session." },
  scope_missing: { code: "FORBIDDEN", meaning: "The key lacks the scope in `details.required_scope`." },
  role_too_low: { code: "FORBIDDEN", meaning: "The member lacks the role in `details.required_role`." },
  self_approval: { code: "FORBIDDEN", meaning: "The workspace does not let people approve their own runs." },
  action_inactive: { code: "ACTION_UNAVAILABLE", meaning: "The action is paused or archived." },
  action_without_release: { code: "ACTION_UNAVAILABLE", meaning: "The action has no current release." },
  user_run_limit: { code: "RATE_LIMIT_EXCEEDED", meaning: "The user's runs of the last hour are used up." },
  too_many_attempts: { code: "RATE_LIMIT_EXCEEDED", meaning: "Too many attempts to sign in or sign up." },
  concurrent_change: { code: "SERVICE_UNAVAILABLE", meaning: "The workflow or action is being changed." },
  event_in_progress: { code: "SERVICE_UNAVAILABLE", meaning: "The same event is being accepted." },
  sign_in_overloaded: { code: "SERVICE_UNAVAILABLE", meaning: "Too many people sign in at the same time." },
  database_unreachable: { code: "SERVICE_UNAVAILABLE", meaning: "The database cannot be reached." },
  database_overloaded: { code: "SERVICE_UNAVAILABLE", meaning: "No database connection became free in time." },
  database_timeout: { code: "SERVICE_UNAVAILABLE", meaning: "The database did not answer in time." },
  database_restarting: { code: "SERVICE_UNAVAILABLE", meaning: "The database is shutting down or starting." },
} as const satisfies Record<string, { code: ApiErrorCode; meaning: string }>;

export type SpecificApiErrorReason = keyof typeof API_ERROR_REASONS;
export const SPECIFIC_API_ERROR_REASONS = Object.keys(API_ERROR_REASONS) as SpecificApiErrorReason[];
export type ApiErrorReason = SpecificApiErrorReason | Lowercase<ApiErrorCode>;

export function isApiErrorReason(reason: string): reason is SpecificApiErrorReason {
  return Object.hasOwn(API_ERROR_REASONS, reason);
}

/** The reason of an error whose code says all that is known: the code in lowercase. */
export function reasonOfCode<Code extends string>(code: Code): Lowercase<Code> {
  return code.toLowerCase() as Lowercase<Code>;
}
