import type { z } from "zod";
import type { runErrorSchema, runSchema } from "#lib/contract/run/run-schema";

/** contract, Run: the origin of a run. */
export const RUN_SOURCES = ["action", "webhook", "schedule", "manual", "replay", "test", "dry_run"] as const;
export type RunSource = (typeof RUN_SOURCES)[number];
/** The sources of test runs, which usage and alerts do not count. */
export const TRIAL_RUN_SOURCES = ["test", "dry_run"] as const satisfies readonly RunSource[];

/** contract, Run. */
export const RUN_STATUSES = [
  "accepted",
  "running",
  "waiting_for_approval",
  "succeeded",
  "failed",
  "cancelled",
  "timed_out",
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/**
 * All transitions that a run can make (contract, Run; decisions, Runs; decisions, Approvals). A status only changes by
 * `UPDATE ... WHERE status = <from>`, and nothing leaves a terminal state.
 */
export const RUN_TRANSITIONS = {
  // A run whose steps are all pure is claimed and ended by a single statement, so its row never shows `running`.
  accepted: ["running", "succeeded", "failed", "cancelled", "timed_out"],
  running: ["waiting_for_approval", "succeeded", "failed", "cancelled", "timed_out"],
  waiting_for_approval: ["accepted", "running", "cancelled", "timed_out"],
  succeeded: [],
  failed: [],
  cancelled: [],
  timed_out: [],
} as const satisfies Record<RunStatus, readonly RunStatus[]>;

/**
 * Checks that each of the statuses can change to `to`, and returns them.
 * @throws Error if one of the changes is not in the table
 */
export function requireTransitions<From extends RunStatus>(from: readonly From[], to: RunStatus): readonly From[] {
  const wrong = from.find((status) => !(RUN_TRANSITIONS[status] as readonly RunStatus[]).includes(to));
  if (wrong !== undefined) throw new Error(`a run cannot change from ${wrong} to ${to}`);
  return from;
}

/** The statuses of runs that have ended. No transition leaves them. */
export type TerminalRunStatus = {
  [Status in RunStatus]: (typeof RUN_TRANSITIONS)[Status] extends readonly [] ? Status : never;
}[RunStatus];
/** The statuses of runs that have not ended. */
export type OpenRunStatus = Exclude<RunStatus, TerminalRunStatus>;

export function isTerminal(status: RunStatus): status is TerminalRunStatus {
  return RUN_TRANSITIONS[status].length === 0;
}

function isOpen(status: RunStatus): status is OpenRunStatus {
  return !isTerminal(status);
}

/** The meaning of each status. A new status must be added here before anything compiles. */
const RUN_PHASES = {
  accepted: "queued",
  running: "executing",
  waiting_for_approval: "waiting",
  succeeded: "success",
  failed: "failure",
  cancelled: "cancellation",
  timed_out: "failure",
} as const satisfies Record<RunStatus, "queued" | "executing" | "waiting" | "success" | "failure" | "cancellation">;

/** True if a worker is executing the run or will resume it. */
export const isExecuting = (status: RunStatus): boolean => RUN_PHASES[status] === "executing";
/** True if the run only continues after a decision. */
export const isWaiting = (status: RunStatus): boolean => RUN_PHASES[status] === "waiting";
export const isSuccess = (status: RunStatus): boolean => RUN_PHASES[status] === "success";
/** True if the run counts as a failure in error rates, alerts and lists of errors. */
export const isFailure = (status: RunStatus): boolean => RUN_PHASES[status] === "failure";
export const isCancelled = (status: RunStatus): boolean => RUN_PHASES[status] === "cancellation";

export const TERMINAL_RUN_STATUSES: readonly TerminalRunStatus[] = RUN_STATUSES.filter(isTerminal);
export const OPEN_RUN_STATUSES: readonly OpenRunStatus[] = RUN_STATUSES.filter(isOpen);
/** The statuses of runs that only continue after a decision. */
export const WAITING_RUN_STATUSES: readonly OpenRunStatus[] = OPEN_RUN_STATUSES.filter(isWaiting);
/** The statuses of runs that a worker executes or will execute without a further decision. */
export const EXECUTABLE_RUN_STATUSES: readonly OpenRunStatus[] = OPEN_RUN_STATUSES.filter(
  (status) => !isWaiting(status),
);
export const FAILED_RUN_STATUSES: readonly TerminalRunStatus[] = TERMINAL_RUN_STATUSES.filter(isFailure);
/** The statuses that an error rate is based on. A cancelled run does not indicate a problem of its workflow. */
export const MEASURED_RUN_STATUSES: readonly TerminalRunStatus[] = TERMINAL_RUN_STATUSES.filter(
  (status) => !isCancelled(status),
);

/** decisions, Runs: the `error` of a run. */
export type RunError = z.output<typeof runErrorSchema>;

/** The run object on the wire (contract, Run). Timestamps are ISO 8601 UTC with milliseconds, durations ms. */
export type RunObject = z.output<typeof runSchema>;

/** decisions, Replay. */
export const REPLAY_MODES = ["resume", "from_start", "from_step"] as const;
export type ReplayMode = (typeof REPLAY_MODES)[number];

/** decisions, Replay: the version that a replay runs. A replay keeps the version of the original unless asked otherwise. */
export const REPLAY_VERSIONS = ["same", "latest"] as const;
export type ReplayVersion = (typeof REPLAY_VERSIONS)[number];

/** decisions, Replay: the default mode of a replay. */
export const USUAL_REPLAY_MODE: Record<TerminalRunStatus, ReplayMode> = {
  succeeded: "from_start",
  failed: "resume",
  cancelled: "resume",
  timed_out: "resume",
};

/** decisions, Correlation and idempotency. */
export const CORRELATION_ID_PATTERN = /^[A-Za-z0-9._:/@-]{1,128}$/;
/** decisions, Correlation and idempotency: visible ASCII. */
export const IDEMPOTENCY_KEY_PATTERN = /^[!-~]{1,255}$/;

/** How much of the timeline a response contains (decisions, Reading runs). */
export const STEPS_VIEWS = ["full", "summary", "failed"] as const;
export type StepsView = (typeof STEPS_VIEWS)[number];
