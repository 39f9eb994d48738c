import type { z } from "zod";
import {
  isRunErrorReason,
  RUN_ERROR_REASONS,
  type RunErrorReason,
  type RunErrorReasonFacts,
  reasonOfCode,
  SPECIFIC_RUN_ERROR_REASONS,
  type StepErrorReason,
} from "#lib/contract/error/error-reasons";
import { LIMITS } from "#lib/contract/limits";
import type { stepErrorSchema } from "#lib/contract/run/journal-schema";

/**
 * An error in a step (contract, Errors). It only appears in the journal and in `run.error`; the status of another
 * service never becomes a status of our API.
 */
export const STEP_ERROR_CODES = [
  "AUTH_EXPIRED",
  "RATE_LIMITED",
  "VALIDATION_ERROR",
  "TIMEOUT",
  "UPSTREAM_ERROR",
  "UNKNOWN",
] as const;
export type StepErrorCode = (typeof STEP_ERROR_CODES)[number];

/** Whether `maxRetries` retries an error. `idempotent` means only if the operation is idempotent. */
export type StepRetryRule = "always" | "idempotent" | "never";

/** decisions, Connectors: which errors `maxRetries` retries. */
export const STEP_ERROR_RETRY: Record<StepErrorCode, StepRetryRule> = {
  AUTH_EXPIRED: "never",
  RATE_LIMITED: "always",
  VALIDATION_ERROR: "never",
  TIMEOUT: "idempotent",
  UPSTREAM_ERROR: "always",
  UNKNOWN: "never",
};

/** The error payload of a journal event. */
export type StepErrorPayload = z.output<typeof stepErrorSchema>;

/** Every value of a step error's `reason`: the codes' own, then the specific ones. */
export const STEP_ERROR_REASONS: readonly StepErrorReason[] = [
  ...STEP_ERROR_CODES.map(reasonOfCode),
  ...SPECIFIC_RUN_ERROR_REASONS,
];

/** What an error says beyond its kind and message. */
export type StepErrorDetails = Pick<StepErrorPayload, "retryAfterMs" | "status" | "body" | "line">;

/** Returns the details of an error, without those that it does not have. */
export function detailsOf({ retryAfterMs, status, body, line }: StepErrorDetails): StepErrorDetails {
  return {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(status === undefined ? {} : { status }),
    ...(body === undefined ? {} : { body }),
    ...(line === undefined ? {} : { line }),
  };
}

/** A wait is a number of milliseconds that someone could wait for: a service or code may ask for 1e18. */
function boundedWait({ retryAfterMs }: StepErrorDetails): StepErrorDetails {
  if (retryAfterMs === undefined) return {};
  return { retryAfterMs: Math.min(Math.max(0, retryAfterMs), LIMITS.retryAfterMs) };
}

export class StepError extends Error {
  override readonly name = "StepError";
  readonly code: StepErrorCode;
  readonly reason: StepErrorReason;
  readonly details: StepErrorDetails;

  /** @param kind a specific reason, which implies the code, or only the code */
  constructor(
    kind: StepErrorCode | StepErrorReason,
    message: string,
    { cause, ...details }: StepErrorDetails & { cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.reason = isStepErrorCode(kind) ? reasonOfCode(kind) : kind;
    this.code = codeOfReason(this.reason);
    this.details = { ...details, ...boundedWait(details) };
  }

  get retryAfterMs(): number | undefined {
    return this.details.retryAfterMs;
  }

  toPayload(): StepErrorPayload {
    return {
      code: this.code,
      reason: this.reason,
      message: this.message,
      ...detailsOf(this.details),
    };
  }
}

/**
 * Returns the kind of another error, stored or foreign, for a step error that repeats it: its reason if it is known,
 * otherwise its code.
 * @returns null if no step error has this code
 */
export function stepErrorKind(error: { code?: unknown; reason?: unknown }): StepErrorCode | StepErrorReason | null {
  const code = STEP_ERROR_CODES.find((known) => known === error.code);
  if (code === undefined) return null;
  const reason = SPECIFIC_RUN_ERROR_REASONS.find((known) => known === error.reason);
  return reason !== undefined && RUN_ERROR_REASONS[reason].code === code ? reason : code;
}

/** Returns whether an error is retried: as its reason says, otherwise as its code does. */
export function retryRuleOf({ code, reason }: Pick<StepError, "code" | "reason">): StepRetryRule {
  const facts: RunErrorReasonFacts | null = isRunErrorReason(reason) ? RUN_ERROR_REASONS[reason] : null;
  return facts?.retry ?? STEP_ERROR_RETRY[code];
}

function isStepErrorCode(kind: string): kind is StepErrorCode {
  return STEP_ERROR_CODES.some((code) => code === kind);
}

function codeOfReason(reason: StepErrorReason): StepErrorCode {
  return isRunErrorReason(reason) ? RUN_ERROR_REASONS[reason].code : (reason.toUpperCase() as StepErrorCode);
}

/** Codes of `run.error`: a code of a step, or the outcome of an approval (decisions, Approvals). */
export const RUN_ERROR_CODES = [...STEP_ERROR_CODES, "APPROVAL_REJECTED", "APPROVAL_EXPIRED"] as const;
export type RunErrorCode = (typeof RUN_ERROR_CODES)[number];
/** Every value of a run error's `reason`: the codes' own, then the specific ones. */
export const RUN_ERROR_REASON_NAMES: readonly RunErrorReason[] = [
  ...RUN_ERROR_CODES.map(reasonOfCode),
  ...SPECIFIC_RUN_ERROR_REASONS,
];
