import { LIMITS } from "#lib/contract/limits";
import { TERMINAL_RUN_STATUSES, WAITING_RUN_STATUSES } from "#lib/contract/run";
import { joinWords } from "#lib/support/join-words";

/**
 * Explains to the model how to work with the tools. Sent once, by `initialize` or `server/discover`. Clients cut it at
 * 2 KB.
 */
export const INSTRUCTIONS = [
  "Published workflows are called actions. Find one with list_actions, read its inputSchema with get_action, start it",
  "with run_action, then call wait_for_run (or poll get_run_status) with the run_id until the status is",
  `${joinWords([...TERMINAL_RUN_STATUSES, ...WAITING_RUN_STATUSES], "or")}. run_action never waits for the result.`,
  `run_actions starts up to ${LIMITS.batchRuns} runs of one action at once; each item of its answer has a run or an error.`,
  "A run that is waiting_for_approval needs a decision first, from a person or from approve_run.",
  "Set dry_run to validate an input without running anything. Send an idempotency_key if you may repeat a call.",
  'A failed run has code, reason, message and step in error. steps: "failed" or "summary" shortens long timelines.',
  "To build: create_workflow (the description of its definition argument lists every node type; JSON Schemas are in the resource",
  "signalbox://nodes), fix what `problems` lists with update_workflow, publish with deploy_workflow,",
  "call it. To repair: read the failed run, update_workflow, deploy_workflow, then run_action again or replay_run.",
  "open_workflow returns a link for people. Errors are {error, code, reason, details?}; details lists the invalid fields.",
].join(" ");
