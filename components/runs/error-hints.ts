import { LIMITS } from "#lib/contract/limits";
import type { RunError } from "#lib/contract/run";
import { describeDuration } from "@/components/ui/format-time";

interface ErrorHint {
  headline: string;
  /** What it means and what to do next. */
  advice: string;
}

/** An error code in plain words. `retryAfterMs` says how long the other side asked to wait. */
export function errorHint(error: Pick<RunError, "code" | "message" | "retryAfterMs">): ErrorHint {
  const wait = error.retryAfterMs === undefined ? null : describeDuration(error.retryAfterMs);
  switch (error.code) {
    case "AUTH_EXPIRED":
      return {
        headline: "The connection's credentials no longer work",
        advice:
          "Replace its credentials under Connections. This error is never retried, because another try with the same credentials fails the same way.",
      };
    case "RATE_LIMITED":
      return {
        headline: wait === null ? "The service limits how often it is called" : `The service asked to wait ${wait}`,
        advice: "Give the step retries, or call it less often.",
      };
    case "VALIDATION_ERROR":
      return {
        headline: "A value does not fit",
        advice:
          "The message names the field. Compare the step's input with what the step expects. This error is never retried.",
      };
    case "TIMEOUT":
      return {
        headline: "It took too long",
        advice: `A step may take ${LIMITS.stepTimeoutMs / 1_000} s and a whole run ${LIMITS.pipelineTimeoutMs / 1_000} s. Ask the service for less at once, or split the work.`,
      };
    case "UPSTREAM_ERROR":
      return {
        headline: wait === null ? "The service failed" : `The service is paused for ${wait} after repeated failures`,
        advice:
          "The workflow is probably fine. Such failures often pass: give the step retries, or check the service's status.",
      };
    case "APPROVAL_REJECTED":
      return { headline: "The run was not approved", advice: "Nothing after the approval ran." };
    case "APPROVAL_EXPIRED":
      return {
        headline: "Nobody decided in time",
        advice: `An approval is open for ${LIMITS.approvalExpiryMs / 3_600_000} hour. Call the action again to ask anew.`,
      };
    case "UNKNOWN":
      return {
        headline: "The step failed in a way we could not classify",
        advice: "The message below is all that was said. Look at the step's input first.",
      };
  }
}
