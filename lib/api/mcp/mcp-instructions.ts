import { keepListed } from "#lib/api/operations/agents/keep-listed";
import type { AnswerView } from "#lib/api/operations/define/caller";
import { LIMITS } from "#lib/contract/limits";
import { TERMINAL_RUN_STATUSES, WAITING_RUN_STATUSES } from "#lib/contract/run/run";
import { joinWords } from "#lib/support/join-words";

const ENDED = joinWords([...TERMINAL_RUN_STATUSES, ...WAITING_RUN_STATUSES], "or");

/** Each item names only what an agent needs together: an item that names a tool which the caller lacks is left out. */
const START = [
  "Published workflows are called actions.",
  "list_actions lists them with their inputSchema.",
  `Call one with run_action. wait_seconds: ${LIMITS.waitSecondsMax} waits up to that long for the run, and needs runs:read.`,
  `If a run is still in progress, call wait_for_run with the run_id until the status is ${ENDED}.`,
  `run_actions starts up to ${LIMITS.batchRuns} runs of one action at once.`,
  "A run that is waiting_for_approval needs a decision of a person first.",
  "approve_run decides it, too.",
  "Set dry_run of run_action to validate an input without running anything.",
  "Send an idempotency_key if you may repeat a call that creates something.",
];

const ANSWERS: Record<AnswerView, readonly string[]> = {
  full: [
    'Answers are the whole objects of the REST API. view: "short" in a call leaves out nulls and what you rarely need next; ' +
      "?answers=short in the address of this server makes it the default.",
  ],
  short: [
    "Answers are short: a run has its status, output, error (code, reason, message, step) and failed steps, without nulls. " +
      'view: "full" in a call returns the whole object. left_out lists what was too long.',
    "get_run_status with step_id returns one step, or all its iterations if it is in a loop.",
  ],
};

const BUILD = [
  "To build, read get_step_kinds once.",
  "create_workflow with deploy: {slug} builds and publishes in one call.",
  "Fix the listed `problems` with update_workflow.",
  "test_workflow runs the draft and returns the outcome.",
  "To repair, use update_workflow with deploy, then replay_run with version latest, or run_action.",
  "open_workflow returns a link for people.",
];

const ERRORS = ["Errors are {error, code, reason, details?}; details lists the invalid fields."];

/**
 * Explains to the model how to work with the tools that it has. Sent once, by `initialize` or `server/discover`. Clients
 * cut it at 2 KB.
 */
export function writeInstructions(view: AnswerView, hiddenTools: ReadonlySet<string>): string {
  return keepListed([...START, ...ANSWERS[view], ...BUILD, ...ERRORS], hiddenTools).join(" ");
}
