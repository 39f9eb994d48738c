import { LIMITS } from "#lib/contract/limits";
import type { RunError } from "#lib/contract/run";
import { describeClock, describeDuration } from "@/components/ui/format-time";

interface ErrorHint {
  headline: string;
  /** What it means and what to do next. */
  advice: string;
  /** Where that is done; null where there is nothing to change. */
  remedy: "connections" | "step" | null;
}

/** How a call is refused while the connector's breaker is open (decisions, Connectors). */
const CIRCUIT_OPEN = /\bcircuit open\b/i;
const S = 1_000;
const STEP_TIME = `${LIMITS.stepTimeoutMs / S} s`;
const RUN_TIME = `${LIMITS.pipelineTimeoutMs / S} s`;

/**
 * An error code in plain words. `retryAfterMs` says how long the other side asked to wait.
 * @param failedAt when it happened, where that is known: ISO 8601
 */
export function errorHint(
  error: Pick<RunError, "code" | "message" | "retryAfterMs">,
  failedAt: string | null = null,
): ErrorHint {
  const wait = error.retryAfterMs === undefined ? null : describeDuration(error.retryAfterMs);
  switch (error.code) {
    case "AUTH_EXPIRED":
      return {
        headline: "The connection's credentials no longer work",
        advice:
          "Replace its credentials under Connections, then replay the run. This error is never retried, because another try with the same credentials fails the same way.",
        remedy: "connections",
      };
    case "RATE_LIMITED":
      return {
        headline: wait === null ? "The service limits how often it is called" : `The service asked to wait ${wait}`,
        advice: "Give the step retries, or call it less often.",
        remedy: "step",
      };
    case "VALIDATION_ERROR":
      return {
        headline: "A value does not fit",
        advice:
          "The message names the field. Compare the step's input with what the step expects. This error is never retried.",
        remedy: "step",
      };
    case "TIMEOUT":
      return timeoutHint(error.message);
    case "UPSTREAM_ERROR":
      return CIRCUIT_OPEN.test(error.message) ? circuitHint(error.retryAfterMs, failedAt) : upstreamHint(wait);
    case "APPROVAL_REJECTED":
      return { headline: "The run was not approved", advice: "Nothing after the approval ran.", remedy: null };
    case "APPROVAL_EXPIRED":
      return {
        headline: "Nobody decided in time",
        advice: `An approval is open for ${LIMITS.approvalExpiryMs / 3_600_000} hour. Call the action again to ask anew.`,
        remedy: null,
      };
    case "UNKNOWN":
      return {
        headline: "The step failed in a way we could not classify",
        advice: "The message below is all that was said. Look at the step's input first.",
        remedy: "step",
      };
  }
}

/** Which of the two times was up stands in the message alone. */
function timeoutHint(message: string): ErrorHint {
  if (message.startsWith("The run exceeded")) {
    return {
      headline: `The whole run took longer than ${RUN_TIME}`,
      advice: "Time spent waiting for an approval does not count. Split the work, or let steps run side by side.",
      remedy: "step",
    };
  }
  if (message.startsWith("The step exceeded")) {
    return {
      headline: `The step took longer than ${STEP_TIME}`,
      advice: "Ask the service for less at once, or split the step. Only calls that may be repeated are retried.",
      remedy: "step",
    };
  }
  return {
    headline: "It took too long",
    advice: `A step may take ${STEP_TIME} and a whole run ${RUN_TIME}. Ask the service for less at once, or split the work.`,
    remedy: "step",
  };
}

function upstreamHint(wait: string | null): ErrorHint {
  return {
    headline: wait === null ? "The service failed" : `The service failed and asked to wait ${wait}`,
    advice:
      "The workflow is probably fine. Such failures often pass: give the step retries, or check the service's status.",
    remedy: "step",
  };
}

function circuitHint(retryAfterMs: number | undefined, failedAt: string | null): ErrorHint {
  const until = retryAfterMs === undefined || failedAt === null ? null : Date.parse(failedAt) + retryAfterMs;
  const clock = until === null ? null : describeClock(new Date(until).toISOString());
  const failures = `${LIMITS.breakerFailures} failures in ${LIMITS.breakerWindowMs / 60_000} minutes`;
  return {
    headline: clock === null ? `Calls are paused after ${failures}` : `Paused until ${clock} after ${failures}`,
    advice:
      "The service was not called at all. After the pause one call tries whether it works again; Connections shows whether calls are still paused. Replay the run when they are not.",
    remedy: "connections",
  };
}
