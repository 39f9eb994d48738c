import { LIMITS } from "#lib/contract/limits";
import { TERMINAL_RUN_STATUSES, WAITING_RUN_STATUSES } from "#lib/contract/run";
import { joinWords } from "#lib/support/join-words";

/**
 * Explains to the model how to work with the tools. Sent once, by `initialize` or `server/discover`. Clients cut it at
 * 2 KB.
 */
export const INSTRUCTIONS = [
  "Published workflows are called actions. list_actions lists them with their inputSchema. Call one with run_action and",
  `wait_seconds: ${LIMITS.waitSecondsMax}, which waits up to that long for the run, and returns it. If it is still in progress, call wait_for_run with the run_id until the status is`,
  `${joinWords([...TERMINAL_RUN_STATUSES, ...WAITING_RUN_STATUSES], "or")}.`,
  `run_actions starts up to ${LIMITS.batchRuns} runs of one action at once.`,
  "A run that is waiting_for_approval needs a decision first, from a person or from approve_run.",
  "Set dry_run to validate an input without running anything. Send an idempotency_key if you may repeat a call.",
  "Answers are short: a run has its status, output, error (code, reason, message, step) and failed steps. parts returns",
  "more; get_run_status with step_id returns one step, or all its iterations if it is in a loop. left_out lists what was too long.",
  "To build: read get_step_kinds once, then create_workflow with deploy: {slug} builds and publishes in one call. Fix the",
  "listed `problems` with update_workflow. test_workflow runs the draft and returns the outcome. To repair: update_workflow",
  "with deploy, then replay_run with version latest, or run_action.",
  "open_workflow returns a link for people. Errors are {error, code, reason, details?}; details lists the invalid fields.",
].join(" ");
