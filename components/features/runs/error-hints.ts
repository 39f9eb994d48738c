import { LIMITS } from "#lib/contract/limits";
import type { RunError, RunErrorCode } from "#lib/contract/run";
import { describeClock, describeDuration } from "@/components/words/format-time";

interface ErrorHint {
  headline: string;
  /** What it means and what to do next. */
  advice: string;
  /** Where that is done; empty where there is nothing to change. */
  remedies: readonly Remedy[];
}

export type Remedy = "connections" | "step";

interface Failure extends Pick<RunError, "code" | "message" | "retryAfterMs"> {
  /** When it happened, where that is known: ISO 8601. */
  failedAt: string | null;
}

/** What one code covers and only the message tells apart: the first pattern that fits speaks. */
const SAID: readonly { code: RunErrorCode; pattern: RegExp; hint: (failure: Failure) => ErrorHint }[] = [
  { code: "UPSTREAM_ERROR", pattern: /\bcircuit open\b/i, hint: circuitHint },
  { code: "RATE_LIMITED", pattern: /^Run limit exceeded/, hint: userLimitHint },
  { code: "RATE_LIMITED", pattern: /^Run quota exceeded/, hint: quotaHint },
  { code: "TIMEOUT", pattern: /^The run exceeded/, hint: runTimeHint },
  { code: "TIMEOUT", pattern: /^The step exceeded/, hint: stepTimeHint },
  { code: "TIMEOUT", pattern: /^The code ran longer/, hint: codeTimeHint },
  { code: "VALIDATION_ERROR", pattern: /\(line \d+\)/, hint: codeHint },
  { code: "VALIDATION_ERROR", pattern: /^connection_id:/, hint: missingConnectionHint },
  { code: "VALIDATION_ERROR", pattern: /\b(larger|longer) than \d+ MiB|\blevels deep\b/, hint: sizeHint },
  { code: "UNKNOWN", pattern: /^worker lost/, hint: workerLostHint },
  { code: "UNKNOWN", pattern: /^The run could not be executed/, hint: ourFaultHint },
  { code: "UNKNOWN", pattern: /^The version of the workflow/, hint: versionGoneHint },
];

const S = 1_000;
const STEP_TIME = `${LIMITS.stepTimeoutMs / S} s`;
const RUN_TIME = `${LIMITS.pipelineTimeoutMs / S} s`;

/**
 * An error code in plain words. `retryAfterMs` says how long the other side asked to wait.
 * @param failedAt when it happened, where that is known: ISO 8601
 */
export function errorHint(error: Omit<Failure, "failedAt">, failedAt: string | null = null): ErrorHint {
  const failure = { ...error, failedAt };
  const said = SAID.find(({ code, pattern }) => code === error.code && pattern.test(error.message));
  return said === undefined ? codeOnlyHint(failure) : said.hint(failure);
}

function codeOnlyHint({ code, retryAfterMs }: Failure): ErrorHint {
  const wait = retryAfterMs === undefined ? null : describeDuration(retryAfterMs);
  switch (code) {
    case "AUTH_EXPIRED":
      return {
        headline: "The service no longer accepts the credentials",
        advice:
          "Replace the connection's credentials under Connections, or what the step itself sends, then replay the run. It is never retried: another try with the same credentials fails the same way.",
        remedies: ["connections", "step"],
      };
    case "RATE_LIMITED":
      return {
        headline: wait === null ? "The service limits how often it is called" : `The service asked to wait ${wait}`,
        advice: "Replay the run when it answers again. To have it wait by itself, give the step retries.",
        remedies: ["step"],
      };
    case "VALIDATION_ERROR":
      return {
        headline: "A value does not fit",
        advice:
          "The message says which. Compare it with the step's input, and with what the step or the service expects. It is never retried.",
        remedies: ["step"],
      };
    case "TIMEOUT":
      return {
        headline: "It took too long",
        advice: `A step may take ${STEP_TIME} and a whole run ${RUN_TIME}. Ask the service for less at once, or split the work.`,
        remedies: ["step"],
      };
    case "UPSTREAM_ERROR":
      return {
        headline: wait === null ? "The service failed" : `The service failed and asked to wait ${wait}`,
        advice:
          "The workflow is probably fine. Such failures often pass: replay the run later, or give the step retries.",
        remedies: ["step"],
      };
    case "APPROVAL_REJECTED":
      return {
        headline: "The run was not approved",
        advice: "Nothing after the approval ran. Who decided, and why, stands with the request.",
        remedies: [],
      };
    case "APPROVAL_EXPIRED":
      return {
        headline: "Nobody decided in time",
        advice: `An approval is open for ${LIMITS.approvalExpiryMs / 3_600_000} hour. Replay the run or call the action again to ask anew.`,
        remedies: [],
      };
    case "UNKNOWN":
      return {
        headline: "It failed in a way we could not classify",
        advice: "The message below is all that was said. Look at the step's input first, then replay the run.",
        remedies: ["step"],
      };
  }
}

function circuitHint({ retryAfterMs, failedAt }: Failure): ErrorHint {
  const until = retryAfterMs === undefined || failedAt === null ? null : Date.parse(failedAt) + retryAfterMs;
  const clock = until === null ? null : describeClock(new Date(until).toISOString());
  const failures = `${LIMITS.breakerFailures} failures in ${LIMITS.breakerWindowMs / 60_000} minutes`;
  return {
    headline: clock === null ? `Calls are paused after ${failures}` : `Paused until ${clock} after ${failures}`,
    advice:
      "The service was not called at all. After the pause one call tries whether it works again; Connections shows whether calls are still paused. Replay the run when they are not.",
    remedies: ["connections"],
  };
}

function userLimitHint(): ErrorHint {
  return {
    headline: "The hour's runs were used up",
    advice:
      "No step ran. Everybody may start so many runs an hour, and an event counts for the owner of the workflow. Replay the run when the hour is over.",
    remedies: [],
  };
}

function quotaHint(): ErrorHint {
  return {
    headline: "The month's runs were used up",
    advice: "No step ran. Replay the run in the next month (UTC), or on a plan with room for more.",
    remedies: [],
  };
}

function runTimeHint(): ErrorHint {
  return {
    headline: `The whole run took longer than ${RUN_TIME}`,
    advice: "Time spent waiting for an approval does not count. Split the work, or let steps run side by side.",
    remedies: ["step"],
  };
}

function stepTimeHint(): ErrorHint {
  return {
    headline: `The step took longer than ${STEP_TIME}`,
    advice: "Ask the service for less at once, or split the step. Only calls that may be repeated are retried.",
    remedies: ["step"],
  };
}

function codeTimeHint(): ErrorHint {
  return {
    headline: "The code took too long",
    advice: "Give it less at once, with a loop over smaller parts. Code is never retried.",
    remedies: ["step"],
  };
}

function codeHint(): ErrorHint {
  return {
    headline: "The step's code failed",
    advice: "The message says what happened and in which line. Test the step in the canvas with this run's input.",
    remedies: ["step"],
  };
}

function missingConnectionHint(): ErrorHint {
  return {
    headline: "The step has no connection it can use",
    advice: "The connection was deleted, or none was chosen. Choose one in the step.",
    remedies: ["step"],
  };
}

function sizeHint(): ErrorHint {
  return {
    headline: "The data is too large",
    advice: "Hand on less: name the fields that later steps need, ask for smaller pages, or loop over smaller parts.",
    remedies: ["step"],
  };
}

function workerLostHint(): ErrorHint {
  return {
    headline: "The run ended every worker that took it",
    advice:
      "Mostly a step needs more memory than there is. Look at the last step that started, and give it less to work on.",
    remedies: ["step"],
  };
}

function ourFaultHint(): ErrorHint {
  return {
    headline: "The service could not execute the run",
    advice: "The workflow is not at fault. Replay the run; if it fails again, give its id to whoever runs the service.",
    remedies: [],
  };
}

function versionGoneHint(): ErrorHint {
  return {
    headline: "Its version of the workflow is gone",
    advice: "Run it again instead of replaying it: that takes the current version.",
    remedies: [],
  };
}
