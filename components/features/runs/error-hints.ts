import { isRunErrorReason, type SpecificRunErrorReason } from "#lib/contract/error/error-reasons";
import { LIMITS } from "#lib/contract/limits";
import type { RunError } from "#lib/contract/run/run";
import type { RunErrorCode } from "#lib/contract/run/step-error";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatTime } from "#lib/support/format/format-moment";
import { formatCount } from "#lib/support/format/format-number";

interface ErrorHint {
  headline: string;
  /** What it means and what to do next. */
  advice: string;
  /** Where to do it; empty if there is nothing to change. */
  remedies: readonly Remedy[];
}

export type Remedy = "connections" | "step";

interface Failure extends Pick<RunError, "code" | "reason" | "retryAfterMs"> {
  /** When it happened, if that is known: ISO 8601. */
  failedAt: string | null;
}

type Hint = ErrorHint | ((failure: Failure) => ErrorHint);

const STEP_TIME = formatDuration(LIMITS.stepTimeoutMs);
const RUN_TIME = formatDuration(LIMITS.pipelineTimeoutMs);

/** The advice for each reason; null if the advice for its code applies. */
const REASON_HINTS: Readonly<Record<SpecificRunErrorReason, Hint | null>> = {
  credentials_unreadable: null,
  user_run_limit: {
    headline: "The hourly run limit was reached",
    advice: `No step ran. By default, a user can start ${formatCount(LIMITS.runsPerUserPerHour, "run")} an hour. Webhooks, schedules and other events count for the person who created the workflow, and can use ${LIMITS.eventRunsPerUserPerHour} of these runs. Replay the run later.`,
    remedies: [],
  },
  monthly_run_quota: {
    headline: "The monthly run quota was used up",
    advice: "No step ran. Replay the run next month (UTC), or after the workspace gets a plan with more runs.",
    remedies: [],
  },
  sandbox_busy: {
    headline: "The run failed because Signalbox was busy",
    advice: `The step is not at fault: ${formatCount(LIMITS.codeQueuedCalls, "code step")} of this workspace already waited for the sandbox. Replay the run. If it happens often, add retries, lower the concurrency of loops, or start fewer runs at once.`,
    remedies: [],
  },
  service_refused: null,
  address_not_allowed: null,
  connection_missing: {
    headline: "The step has no usable connection",
    advice: "The connection was deleted, or none was chosen. Choose one in the step.",
    remedies: ["step"],
  },
  action_not_allowed: {
    headline: "The API key can't run this action",
    advice:
      "The run was started with an API key that is limited to some actions. Start it with a key that includes the step's action, or remove the step.",
    remedies: ["step"],
  },
  answer_mismatch: {
    headline: "The model's answer doesn't match the schema",
    advice:
      "The model got the error and tried a second time. Describe the object in the prompt, simplify its schema, or use a stronger model.",
    remedies: ["step"],
  },
  tool_failed: {
    headline: "The tool failed",
    advice: "The MCP server ran the tool and reported the error above. Check the arguments in the step's input.",
    remedies: ["step"],
  },
  output_missing: {
    headline: "A required output has no value",
    advice:
      "The message shows which path does not exist. Correct the path, add a fallback, or make the property optional.",
    remedies: ["step"],
  },
  code_failed: {
    headline: "The step's code failed",
    advice: "The message says what happened and on which line. Test the step on the canvas with this run's input.",
    remedies: ["step"],
  },
  data_too_large: {
    headline: "The data is too large",
    advice:
      "Pass less data to later steps: select only the fields that they need, request smaller pages, or loop over smaller parts.",
    remedies: ["step"],
  },
  run_too_large: {
    headline: "The run is too large",
    advice:
      "Split the work: loop over fewer items, move the steps of the loop to a sub-workflow, or pass less data to later steps.",
    remedies: ["step"],
  },
  service_timeout: null,
  step_time_limit: {
    headline: `The step took longer than ${STEP_TIME}`,
    advice:
      "Request less from the service at once, or split the step. Signalbox retries only calls that are safe to repeat.",
    remedies: ["step"],
  },
  run_time_limit: {
    headline: `The whole run took longer than ${RUN_TIME}`,
    advice: "Time spent waiting for an approval does not count. Split the work, or let steps run in parallel.",
    remedies: ["step"],
  },
  callback_expired: {
    headline: "No callback arrived in time",
    advice:
      "No request reached the step's callback address, or the requests did not match its schema. To handle this case in the workflow, connect a step to Expired. A replay has a new address.",
    remedies: ["step"],
  },
  code_time_limit: {
    headline: "The code took too long",
    advice: "Process less data at once, for example with a loop over smaller parts.",
    remedies: ["step"],
  },
  machine_busy: {
    headline: "The run failed because Signalbox was busy",
    advice:
      "The step is not at fault: it got almost no processor time. Replay the run. If it happens often, add retries, or ask the operator of this instance for more cores.",
    remedies: [],
  },
  circuit_open: ({ retryAfterMs, failedAt }) => {
    const until = retryAfterMs === undefined || failedAt === null ? null : Date.parse(failedAt) + retryAfterMs;
    const clock = until === null ? null : formatTime(new Date(until).toISOString());
    const failures = `${formatCount(LIMITS.breakerFailures, "failure")} in ${formatCount(LIMITS.breakerWindowMs / 60_000, "minute")}`;
    return {
      headline: clock === null ? `Calls are paused after ${failures}` : `Paused until ${clock} after ${failures}`,
      advice:
        "The service was not called at all. After the pause, one call tests whether the service works again. Connections shows whether calls are still paused. Replay the run when calls are possible again.",
      remedies: ["connections"],
    };
  },
  service_unreachable: null,
  host_not_found: {
    headline: "No server has this host name",
    advice:
      "Check the spelling of the address in the step or the connection. If the name is new, replay the run when it is known everywhere. Signalbox does not retry this error.",
    remedies: ["connections", "step"],
  },
  tls_failed: {
    headline: "There is no secure connection to the service",
    advice:
      "The workflow is not at fault. If the service uses a certificate authority of its own, ask the operator of this instance to add it to NODE_EXTRA_CA_CERTS and to restart Signalbox. Otherwise its certificate or its address needs to be corrected. Signalbox does not retry this error.",
    remedies: ["connections"],
  },
  connection_broken: {
    headline: "The connection broke before the answer arrived",
    advice:
      "The service may have executed the request. Check there before you replay the run. Signalbox retries only calls that are safe to repeat.",
    remedies: ["step"],
  },
  answer_unreadable: {
    headline: "The service's answer can't be read",
    advice:
      "The service received the request and probably executed it. Check there before you replay the run. Signalbox retries only calls that are safe to repeat.",
    remedies: ["step"],
  },
  sandbox_unavailable: {
    headline: "The machine could not run the step",
    advice:
      "The workflow is not at fault, and the step's code had no effect. Signalbox tried several times. Replay the run. If it happens again, this instance needs more memory or more cores.",
    remedies: [],
  },
  code_threw: {
    headline: "The step's code threw an error",
    advice:
      "The message says what happened and on which line. Test the step on the canvas with this run's input. An error with a code, such as VALIDATION_ERROR, says whether a retry helps.",
    remedies: ["step"],
  },
  worker_lost: {
    headline: "Several workers stopped while executing the run",
    advice:
      "A step probably needs more memory than a worker has. Check the last step that started, and give it less data.",
    remedies: ["step"],
  },
  internal_failure: {
    headline: "Signalbox could not execute the run",
    advice:
      "The workflow is not at fault. Replay the run. If it fails again, send the run ID to the operator of this instance.",
    remedies: [],
  },
  version_missing: {
    headline: "The run's version of the workflow no longer exists",
    advice: "Start a new run instead of replaying this one. A new run uses the current version.",
    remedies: [],
  },
};

/** The advice for a code if its error has no reason, or a reason without its own advice. */
const CODE_HINTS: Readonly<Record<RunErrorCode, Hint>> = {
  AUTH_EXPIRED: {
    headline: "The service no longer accepts the credentials",
    advice:
      "Replace the connection's credentials under Connections, or the credentials that the step itself sends, then replay the run. Signalbox never retries this error: another attempt with the same credentials would fail, too.",
    remedies: ["connections", "step"],
  },
  RATE_LIMITED: (failure) => {
    const wait = describeWait(failure);
    return {
      headline: wait === null ? "The service is limiting requests" : `The service asked Signalbox to wait ${wait}`,
      advice:
        "Replay the run when the service accepts calls again. To make the run wait automatically, add retries to the step.",
      remedies: ["step"],
    };
  },
  VALIDATION_ERROR: {
    headline: "A value is invalid",
    advice:
      "The message names the value. Compare it with the step's input, and with what the step or the service expects. Signalbox never retries this error.",
    remedies: ["step"],
  },
  TIMEOUT: {
    headline: "The step or the run took too long",
    advice: `A step can take up to ${STEP_TIME}, and a whole run up to ${RUN_TIME}. Request less from the service at once, or split the work.`,
    remedies: ["step"],
  },
  UPSTREAM_ERROR: (failure) => {
    const wait = describeWait(failure);
    return {
      headline: wait === null ? "The service failed" : `The service failed and asked Signalbox to wait ${wait}`,
      advice:
        "The workflow is probably fine. Such failures are often temporary: replay the run later, or add retries to the step.",
      remedies: ["step"],
    };
  },
  APPROVAL_REJECTED: {
    headline: "The run was not approved",
    advice: "Nothing after the approval ran. The request shows who decided, and why.",
    remedies: [],
  },
  APPROVAL_EXPIRED: {
    headline: "No one decided in time",
    advice: `An approval request is open for ${formatDuration(LIMITS.approvalExpiryMs)}. To ask again, replay the run or call the action again.`,
    remedies: [],
  },
  UNKNOWN: {
    headline: "The step failed for an unknown reason",
    advice: "The message below has all the details. Check the step's input first, then replay the run.",
    remedies: ["step"],
  },
};

/**
 * Explains an error in plain words, by its reason, or by its code if the reason is missing or has no advice of its own.
 * @param failedAt when it happened, if that is known: ISO 8601
 */
export function errorHint(error: Omit<Failure, "failedAt">, failedAt: string | null = null): ErrorHint {
  const { code, reason } = error;
  const specific = reason !== undefined && isRunErrorReason(reason) ? REASON_HINTS[reason] : null;
  const hint = specific ?? CODE_HINTS[code];
  return typeof hint === "function" ? hint({ ...error, failedAt }) : hint;
}

/** Returns how long the service asked to wait, or null if it did not. */
function describeWait({ retryAfterMs }: Failure): string | null {
  return retryAfterMs === undefined ? null : formatDuration(retryAfterMs);
}
