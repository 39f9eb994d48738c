import type { ApiErrorCode } from "#lib/contract/error/api-error";
import type { RunErrorCode, StepErrorCode, StepRetryRule } from "#lib/contract/run/step-error";

export interface RunErrorReasonFacts {
  code: StepErrorCode;
  meaning: string;
  /** Whether the step is retried, for a reason that knows more about it than its code. */
  retry?: StepRetryRule;
}

/**
 * Explains a step or run error more precisely than its code. Each reason belongs to one code, which also decides
 * whether the step is retried (STEP_ERROR_RETRY), unless the reason says so itself. An error without a specific reason has the reason of its code:
 * `timeout` for TIMEOUT. The advice for people uses the same names as keys (components/features/runs/error-hints.ts).
 */
export const RUN_ERROR_REASONS = {
  credentials_unreadable: {
    code: "AUTH_EXPIRED",
    meaning: "The stored credentials of the connection cannot be decrypted.",
  },
  user_run_limit: { code: "RATE_LIMITED", meaning: "The user reached the limit of runs per hour." },
  monthly_run_quota: { code: "RATE_LIMITED", meaning: "The workspace reached its plan's limit of runs per month." },
  sandbox_busy: {
    code: "RATE_LIMITED",
    meaning: "The workspace has too many code steps or checks waiting to run.",
  },
  service_refused: {
    code: "VALIDATION_ERROR",
    meaning: "The service refused the request with a 4xx status that is not worth retrying.",
  },
  address_not_allowed: { code: "VALIDATION_ERROR", meaning: "The step is not allowed to call this address." },
  connection_missing: { code: "VALIDATION_ERROR", meaning: "The step has no usable connection." },
  action_not_allowed: {
    code: "VALIDATION_ERROR",
    meaning: "The API key that started the run cannot run the action in this step.",
  },
  answer_mismatch: {
    code: "VALIDATION_ERROR",
    meaning: "The model's answer is not the object that the step asks for.",
  },
  tool_failed: { code: "VALIDATION_ERROR", meaning: "The tool of an MCP server reported that it failed." },
  output_missing: { code: "VALIDATION_ERROR", meaning: "A required property of the output is null." },
  code_failed: { code: "VALIDATION_ERROR", meaning: "The code of the step cannot run, or its result is not JSON." },
  data_too_large: { code: "VALIDATION_ERROR", meaning: "A value is too large or nested too deeply." },
  run_too_large: { code: "VALIDATION_ERROR", meaning: "The run has too many steps, or its journal is too large." },
  service_timeout: { code: "TIMEOUT", meaning: "The service did not answer in time." },
  step_time_limit: { code: "TIMEOUT", meaning: "The step exceeded its time limit." },
  run_time_limit: { code: "TIMEOUT", meaning: "The whole run exceeded its time limit." },
  callback_expired: { code: "TIMEOUT", meaning: "No callback arrived before it expired." },
  code_time_limit: { code: "TIMEOUT", meaning: "The code of the step exceeded its time limit." },
  machine_busy: {
    code: "TIMEOUT",
    meaning: "The machine was too busy to run the step in its time; the workflow is not at fault.",
  },
  circuit_open: { code: "UPSTREAM_ERROR", meaning: "Calls are paused because the service failed too often." },
  service_unreachable: { code: "UPSTREAM_ERROR", meaning: "The service could not be reached." },
  host_not_found: {
    code: "UPSTREAM_ERROR",
    meaning: "No server has the host name of the service.",
    retry: "never",
  },
  tls_failed: {
    code: "UPSTREAM_ERROR",
    meaning: "The service's certificate is not trusted, or the service does not use TLS as its address says.",
    retry: "never",
  },
  connection_broken: {
    code: "UPSTREAM_ERROR",
    meaning: "The connection broke after the request was sent, so the service may have executed it.",
    retry: "idempotent",
  },
  answer_unreadable: {
    code: "UPSTREAM_ERROR",
    meaning: "The service executed the request, but Signalbox cannot read its response.",
    retry: "idempotent",
  },
  sandbox_unavailable: {
    code: "UPSTREAM_ERROR",
    meaning: "The machine could not run the process for the step's code or data; the workflow is not at fault.",
  },
  code_threw: { code: "UNKNOWN", meaning: "The code of the step threw an error that names no code." },
  worker_lost: { code: "UNKNOWN", meaning: "Several workers in a row stopped unexpectedly while executing the run." },
  internal_failure: { code: "UNKNOWN", meaning: "Signalbox could not execute the run; the workflow is not at fault." },
  version_missing: { code: "UNKNOWN", meaning: "The version of the workflow no longer exists." },
} as const satisfies Record<string, RunErrorReasonFacts>;

export type SpecificRunErrorReason = keyof typeof RUN_ERROR_REASONS;
export const SPECIFIC_RUN_ERROR_REASONS = Object.keys(RUN_ERROR_REASONS) as SpecificRunErrorReason[];
export type StepErrorReason = SpecificRunErrorReason | Lowercase<StepErrorCode>;
export type RunErrorReason = SpecificRunErrorReason | Lowercase<RunErrorCode>;

/**
 * The reasons for which the machine is to blame. Runs that fail for them say nothing about their workflow, so they count
 * in no error rate or alert, and pause no calls to a service.
 */
export const MACHINE_REASONS = ["machine_busy", "sandbox_unavailable"] as const satisfies SpecificRunErrorReason[];

export function isRunErrorReason(reason: string): reason is SpecificRunErrorReason {
  return Object.hasOwn(RUN_ERROR_REASONS, reason);
}

/**
 * Explains an API error more precisely than its code. Each reason belongs to one code; an error without a specific
 * reason has the reason of its code: `not_found` for NOT_FOUND. The advice for people uses the same names as keys
 * (components/api/refusal-advice.ts).
 */
export const API_ERROR_REASONS = {
  host_not_allowed: {
    code: "BAD_REQUEST",
    meaning: "The request names a host that is not an address of this instance.",
  },
  api_key_revoked: { code: "UNAUTHORIZED", meaning: "The key was revoked." },
  not_signed_in: { code: "UNAUTHORIZED", meaning: "The browser is not signed in." },
  definitions_full: {
    code: "QUOTA_EXCEEDED",
    meaning: "The drafts and versions of the workspace reached its plan's limit.",
  },
  scope_missing: { code: "FORBIDDEN", meaning: "The key does not have the scope in `details.required_scope`." },
  role_too_low: { code: "FORBIDDEN", meaning: "The member does not have the role in `details.required_role`." },
  person_required: { code: "FORBIDDEN", meaning: "Only a person may make this change, in the web application." },
  confirmation_needed: {
    code: "FORBIDDEN",
    meaning: "The change affects the account's security. The person has to confirm who they are first.",
  },
  sso_required: {
    code: "FORBIDDEN",
    meaning: "The workspace requires members to sign in through its single sign-on provider.",
  },
  two_step_required: {
    code: "FORBIDDEN",
    meaning: "The workspace requires two-step verification, and the person has not set it up.",
  },
  self_approval: { code: "FORBIDDEN", meaning: "The workspace does not let people approve their own runs." },
  action_inactive: { code: "ACTION_UNAVAILABLE", meaning: "The action is paused or archived." },
  action_without_release: { code: "ACTION_UNAVAILABLE", meaning: "The action has no current release." },
  user_run_limit: { code: "RATE_LIMIT_EXCEEDED", meaning: "The user reached the limit of runs per hour." },
  too_many_attempts: { code: "RATE_LIMIT_EXCEEDED", meaning: "There were too many attempts to sign in or sign up." },
  too_many_failed_keys: {
    code: "RATE_LIMIT_EXCEEDED",
    meaning: "The address sent too many requests to callback addresses that do not exist, or with invalid keys.",
  },
  too_many_deliveries: { code: "RATE_LIMIT_EXCEEDED", meaning: "The webhook address received too many requests." },
  too_many_streams: { code: "RATE_LIMIT_EXCEEDED", meaning: "The user has too many open event streams." },
  too_many_batches: {
    code: "RATE_LIMIT_EXCEEDED",
    meaning: "The key has too many batches of runs waiting.",
  },
  too_many_documents: {
    code: "RATE_LIMIT_EXCEEDED",
    meaning: "The workspace has too many OpenAPI documents waiting to be read.",
  },
  too_many_builds: {
    code: "RATE_LIMIT_EXCEEDED",
    meaning: "The workspace has too many unfinished connector builds.",
  },
  too_many_checks: {
    code: "RATE_LIMIT_EXCEEDED",
    meaning: "Too much of the workspace's data is waiting to be checked.",
  },
  checks_overloaded: {
    code: "SERVICE_UNAVAILABLE",
    meaning: "The machine was too busy to check the data.",
  },
  documents_overloaded: {
    code: "SERVICE_UNAVAILABLE",
    meaning: "Too many OpenAPI documents are waiting to be read.",
  },
  bodies_overloaded: {
    code: "SERVICE_UNAVAILABLE",
    meaning: "Too many request bodies were arriving at the same time.",
  },
  concurrent_change: { code: "SERVICE_UNAVAILABLE", meaning: "Another request is changing the workflow or action." },
  event_in_progress: { code: "SERVICE_UNAVAILABLE", meaning: "Another request with the same event is in progress." },
  sign_in_overloaded: { code: "SERVICE_UNAVAILABLE", meaning: "Too many people are signing in at the same time." },
  database_unreachable: { code: "SERVICE_UNAVAILABLE", meaning: "The database could not be reached." },
  database_overloaded: { code: "SERVICE_UNAVAILABLE", meaning: "No database connection became available in time." },
  database_timeout: { code: "SERVICE_UNAVAILABLE", meaning: "The database did not respond in time." },
  database_restarting: { code: "SERVICE_UNAVAILABLE", meaning: "The database is shutting down or starting." },
} as const satisfies Record<string, { code: ApiErrorCode; meaning: string }>;

export type SpecificApiErrorReason = keyof typeof API_ERROR_REASONS;
export const SPECIFIC_API_ERROR_REASONS = Object.keys(API_ERROR_REASONS) as SpecificApiErrorReason[];
export type ApiErrorReason = SpecificApiErrorReason | Lowercase<ApiErrorCode>;

export function isApiErrorReason(reason: string): reason is SpecificApiErrorReason {
  return Object.hasOwn(API_ERROR_REASONS, reason);
}

/** Returns the reason of an error without a specific reason: its code in lowercase. */
export function reasonOfCode<Code extends string>(code: Code): Lowercase<Code> {
  return code.toLowerCase() as Lowercase<Code>;
}
