import type { ApiErrorCode } from "#lib/contract/error/api-error";
import { isApiErrorReason, type SpecificApiErrorReason } from "#lib/contract/error/error-reasons";
import { ClientError } from "@/components/api/client-error";

/** The advice for each reason; null if the error's own message is enough. */
const REASON_ADVICE: Readonly<Record<SpecificApiErrorReason, string | null>> = {
  host_not_allowed: null,
  api_key_revoked: null,
  not_signed_in: null,
  definitions_full:
    "A deleted workflow counts for at least 30 days, and until its runs are deleted. A larger plan has more room.",
  scope_missing: null,
  role_too_low: null,
  person_required: null,
  confirmation_needed: null,
  sso_required: null,
  two_step_required: null,
  self_approval: null,
  action_inactive: null,
  action_without_release: null,
  user_run_limit: "Runs of the last 60 minutes count, in all your workspaces. Try again when some of them are older.",
  too_many_attempts: null,
  too_many_failed_keys: null,
  too_many_deliveries: null,
  too_many_streams: null,
  too_many_batches: null,
  too_many_documents: null,
  too_many_builds: null,
  too_many_checks: null,
  checks_overloaded: null,
  documents_overloaded: null,
  bodies_overloaded: null,
  concurrent_change: null,
  event_in_progress: null,
  sign_in_overloaded: null,
  database_unreachable: null,
  database_overloaded: null,
  database_timeout: null,
  database_restarting: null,
};

/** The advice for a code, whatever its reason. */
const CODE_ADVICE: Partial<Record<ApiErrorCode, string>> = {
  QUOTA_EXCEEDED: "The count starts again on the first of the month (UTC). Settings shows the plan and what is used.",
};

/** Returns what to do about a refusal whose message only says what happened; null if the message is enough. */
export function refusalAdvice(error: Error): string | null {
  if (!(error instanceof ClientError) || error.code === "NETWORK") return null;
  const specific = error.reason !== null && isApiErrorReason(error.reason) ? REASON_ADVICE[error.reason] : null;
  return specific ?? CODE_ADVICE[error.code] ?? null;
}
