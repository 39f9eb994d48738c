import type { z } from "zod";
import { type RunErrorReason, reasonOfCode, SPECIFIC_RUN_ERROR_REASONS } from "#lib/contract/error-reasons";
import type { runErrorSchema, runSchema } from "#lib/contract/schemas/run-schema";
import { STEP_ERROR_CODES } from "#lib/contract/step-error";

/** contract, Run: where a run came from. */
export const RUN_SOURCES = ["action", "webhook", "schedule", "manual", "replay", "test", "dry_run"] as const;
export type RunSource = (typeof RUN_SOURCES)[number];
/** The sources of runs that only try something out: usage and alerts don't count them. */
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
 * Every transition a run may make (contract, Run; decisions, Runs; decisions, Approvals). A status changes only by
 * `UPDATE ... WHERE status = <from>`, and nothing leaves a terminal state.
 */
export const RUN_TRANSITIONS = {
  // A run whose steps are all pure is claimed and ended by one statement: its row never shows `running`.
  accepted: ["running", "succeeded", "failed", "cancelled", "timed_out"],
  running: ["waiting_for_approval", "succeeded", "failed", "cancelled", "timed_out"],
  waiting_for_approval: ["accepted", "running", "cancelled", "timed_out"],
  succeeded: [],
  failed: [],
  cancelled: [],
  timed_out: [],
} as const satisfies Record<RunStatus, readonly RunStatus[]>;

/**
 * The statuses that a statement changes to `to`.
 * @throws Error when one of the changes is not in the table
 */
export function requireTransitions<From extends RunStatus>(from: readonly From[], to: RunStatus): readonly From[] {
  const wrong = from.find((status) => !(RUN_TRANSITIONS[status] as readonly RunStatus[]).includes(to));
  if (wrong !== undefined) throw new Error(`no run goes from ${wrong} to ${to}`);
  return from;
}

/** The statuses of runs that have ended: no transition leaves them. */
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

/** What a status means. A new status has to say so here before anything compiles. */
const RUN_PHASES = {
  accepted: "queued",
  running: "executing",
  waiting_for_approval: "waiting",
  succeeded: "success",
  failed: "failure",
  cancelled: "cancellation",
  timed_out: "failure",
} as const satisfies Record<RunStatus, "queued" | "executing" | "waiting" | "success" | "failure" | "cancellation">;

/** Whether a worker is executing the run or will resume it. */
export const isExecuting = (status: RunStatus): boolean => RUN_PHASES[status] === "executing";
/** Whether the run continues only after a decision. */
export const isWaiting = (status: RunStatus): boolean => RUN_PHASES[status] === "waiting";
export const isSuccess = (status: RunStatus): boolean => RUN_PHASES[status] === "success";
/** Whether the run counts as a failure in error rates, alerts and lists of errors. */
export const isFailure = (status: RunStatus): boolean => RUN_PHASES[status] === "failure";
export const isCancelled = (status: RunStatus): boolean => RUN_PHASES[status] === "cancellation";

export const TERMINAL_RUN_STATUSES: readonly TerminalRunStatus[] = RUN_STATUSES.filter(isTerminal);
export const OPEN_RUN_STATUSES: readonly OpenRunStatus[] = RUN_STATUSES.filter(isOpen);
/** The statuses of runs that continue only after a decision. */
export const WAITING_RUN_STATUSES: readonly OpenRunStatus[] = OPEN_RUN_STATUSES.filter(isWaiting);
/** The statuses of runs that a worker executes or will execute without a further decision. */
export const EXECUTABLE_RUN_STATUSES: readonly OpenRunStatus[] = OPEN_RUN_STATUSES.filter(
  (status) => !isWaiting(status),
);
export const FAILED_RUN_STATUSES: readonly TerminalRunStatus[] = TERMINAL_RUN_STATUSES.filter(isFailure);
/** The statuses that an error rate is a share of. A cancelled run says nothing about its workflow. */
export const MEASURED_RUN_STATUSES: readonly TerminalRunStatus[] = TERMINAL_RUN_STATUSES.filter(
  (status) => !isCancelled(status),
);

/** Codes of `run.error`: a step's, or the approval's outcome (decisions, Approvals). */
export const RUN_ERROR_CODES = [...STEP_ERROR_CODES, "APPROVAL_REJECTED", "APPROVAL_EXPIRED"] as const;
export type RunErrorCode = (typeof RUN_ERROR_CODES)[number];
/** Every value of a run error's `reason`: the codes' own, then the specific ones. */
export const RUN_ERROR_REASON_NAMES: readonly RunErrorReason[] = [
  ...RUN_ERROR_CODES.map(reasonOfCode),
  ...SPECIFIC_RUN_ERROR_REASONS,
];

/** decisions, Runs: `error` on a run. */
export type RunError = z.output<typeof runErrorSchema>;

/** The run object on the wire (contract, Run). Timestamps are ISO 8601 UTC with milliseconds, durations ms. */
export type RunObject = z.output<typeof runSchema>;

/** decisions, Replay. */
export const REPLAY_MODES = ["resume", "from_start", "from_step"] as const;
export type ReplayMode = (typeof REPLAY_MODES)[number];

/** decisions, Replay: the mode of a replay for which no one chose one. */
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

/** How much of the timeline an answer carries (decisions, Reading runs). */
export const STEPS_VIEWS = ["full", "summary", "failed"] as const;
export type StepsView = (typeof STEPS_VIEWS)[number];
