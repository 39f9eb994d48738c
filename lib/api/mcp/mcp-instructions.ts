import { TERMINAL_RUN_STATUSES, WAITING_RUN_STATUSES } from "#lib/contract/run";
import { joinWords } from "#lib/support/join-words";

/** How to work with the tools, for the model: sent once, by `initialize` or `server/discover`. Clients cut it at 2 KB. */
export const INSTRUCTIONS = [
  "Published workflows are called actions. Find one with list_actions, read its inputSchema with get_action, start it",
  "with run_action, then call wait_for_run (or poll get_run_status) with the run_id until the status is",
  `${joinWords([...TERMINAL_RUN_STATUSES, ...WAITING_RUN_STATUSES], "or")}. run_action never waits for the result.`,
  "A run that is waiting_for_approval needs a decision first: a person's, or approve_run.",
  "Set dry_run to check an input without running anything; send an idempotency_key when you may repeat a call.",
  'A failed run names code, reason, message and step in error; steps: "failed" or "summary" keeps long timelines short.',
  "To build: create_workflow (its definition argument describes every node type; JSON Schemas in the resource",
  "signalbox://nodes), mend what `problems` names with operations of update_workflow, publish with deploy_workflow,",
  "call it. To repair: read the failed run, update_workflow, deploy_workflow, then run_action again or replay_run.",
  "open_workflow gives a link for people. Errors are {error, code, reason, details?}; details name the wrong fields.",
].join(" ");
