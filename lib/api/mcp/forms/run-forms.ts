import { z } from "zod";
import { answerRun, partsInput, presentAnswered, runViewInput, waitInput } from "#lib/api/mcp/forms/answer-run";
import { shortRun } from "#lib/api/mcp/forms/short-run";
import { ALL, fitAnswer, leaveOut } from "#lib/api/mcp/forms/shorten";
import { defineToolForm } from "#lib/api/mcp/forms/tool-form";
import { runActionOperation } from "#lib/api/operations/calls/run-action";
import { runActionsOperation } from "#lib/api/operations/calls/run-actions";
import type { Caller } from "#lib/api/operations/define/caller";
import { authorize } from "#lib/api/operations/define/define-operation";
import { approveRunOperation, cancelRunOperation } from "#lib/api/operations/run-decisions";
import { replayRunOperation, testWorkflowOperation } from "#lib/api/operations/run-replays";
import { getRunStatusOperation, listRunsOperation, waitForRunOperation } from "#lib/api/operations/runs";
import { LIMITS } from "#lib/contract/limits";
import { isTerminal, type RunObject, STEPS_VIEWS } from "#lib/contract/run";

/**
 * Answers a run that was just started: at once, or with its outcome if the caller waits.
 * @param parts what the caller asked for
 */
function answerStarted(
  caller: Caller,
  run: RunObject,
  { waitSeconds, parts }: { waitSeconds: number | undefined; parts: readonly string[] | undefined },
): object | Promise<object> {
  if (waitSeconds === undefined || isTerminal(run.status)) return presentAnswered(run, parts);
  return answerRun(caller, run.run_id, { parts }, waitSeconds);
}

/** Waiting for a run reads it, so the key needs the scope of a reader, before anything starts. */
function requireReader(caller: Caller, waitSeconds: number | undefined): void {
  if (waitSeconds !== undefined) authorize(waitForRunOperation, caller);
}

/** Without `wait_seconds`, it answers the 202 object of REST (contract, Endpoints). */
const runActionForm = defineToolForm(runActionOperation, {
  input: runActionOperation.input.extend(waitInput),
  run: async (caller, { wait_seconds: waitSeconds, parts, ...input }, context) => {
    requireReader(caller, waitSeconds);
    const run = await runActionOperation.run(caller, input, context);
    return waitSeconds === undefined ? run : answerStarted(caller, run, { waitSeconds, parts });
  },
});

const ITEM_PROPERTIES = {
  input: { type: "object" },
  dry_run: { type: "boolean" },
  correlation_id: { type: "string" },
  idempotency_key: { type: "string" },
};

const runActionsForm = defineToolForm(runActionsOperation, {
  input: runActionsOperation.input.extend({
    parts: z.array(z.enum([ALL])).optional(),
  }),
  run: async (caller, { parts, ...input }, context) => {
    const batch = await runActionsOperation.run(caller, input, context);
    if (parts !== undefined) return batch;
    const data = batch.data.map(({ run, ...rest }) => ({
      ...(run === null ? {} : { run: { run_id: run.run_id, status: run.status } }),
      ...leaveOut(rest),
    }));
    return { data, refused: batch.refused };
  },
  schemas: {
    items: {
      type: "array",
      minItems: 1,
      maxItems: LIMITS.batchRuns,
      items: { type: "object", properties: ITEM_PROPERTIES },
    },
  },
});

const getRunStatusForm = defineToolForm(getRunStatusOperation, {
  input: getRunStatusOperation.input.extend(runViewInput),
  run: (caller, { include, run_id: runId, ...view }, context) => {
    if (include === undefined) return answerRun(caller, runId, view);
    const { steps = "full", steps_cursor } = view;
    return getRunStatusOperation.run(caller, { run_id: runId, include, steps, steps_cursor }, context);
  },
});

const waitForRunForm = defineToolForm(waitForRunOperation, {
  input: waitForRunOperation.input.extend({ parts: partsInput, steps: z.enum(STEPS_VIEWS).optional() }),
  run: (caller, { run_id: runId, timeout_seconds: seconds, ...view }) => answerRun(caller, runId, view, seconds),
});

const listRunsForm = defineToolForm(listRunsOperation, {
  input: listRunsOperation.input.omit({ error_text: true }).extend({
    q: z.string().max(200).optional().describe("Words of the run's error."),
    parts: partsInput,
  }),
  run: async (caller, { q, parts, ...input }, context) => {
    const page = await listRunsOperation.run(caller, { ...input, error_text: q }, context);
    if (parts?.includes(ALL) || input.include !== undefined) return page;
    const hidden = (["output", "input"] as const).filter((part) => !parts?.includes(part));
    const data = page.data.map((run) => leaveOut({ ...shortRun(run, parts), created_at: run.created_at }, hidden));
    return fitAnswer({ ...leaveOut(page), data }, parts);
  },
  schemas: {
    action_slug: { type: "string" },
    workflow_id: { type: "string" },
    version: { type: "integer" },
    api_key_id: { type: "string" },
    correlation_id: { type: "string" },
    created_after: { type: "string", format: "date-time" },
    created_before: { type: "string", format: "date-time" },
  },
});

const decisionParts = { parts: partsInput };

const approveRunForm = defineToolForm(approveRunOperation, {
  input: approveRunOperation.input.extend(decisionParts),
  run: async (caller, { parts, ...input }, context) =>
    presentAnswered(await approveRunOperation.run(caller, input, context), parts),
});

const cancelRunForm = defineToolForm(cancelRunOperation, {
  input: cancelRunOperation.input.extend(decisionParts),
  run: async (caller, { parts, ...input }, context) =>
    presentAnswered(await cancelRunOperation.run(caller, input, context), parts),
});

const replayRunForm = defineToolForm(replayRunOperation, {
  input: replayRunOperation.input.extend(waitInput),
  run: async (caller, { wait_seconds: waitSeconds, parts, ...input }, context) => {
    const run = await replayRunOperation.run(caller, input, context);
    return answerStarted(caller, run, { waitSeconds, parts });
  },
});

const testWorkflowForm = defineToolForm(testWorkflowOperation, {
  input: z.object({
    workflow_id: testWorkflowOperation.input.shape.workflow_id,
    input: z.record(z.string(), z.unknown()).default({}).describe("The action's input, or the output of the trigger."),
    pins: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Outputs by step id. These steps return them and make no call."),
    until: z.string().max(64).optional().describe("Runs only this step and the steps before it."),
    wait_seconds: waitInput.wait_seconds.default(LIMITS.waitSecondsMax),
    steps: runViewInput.steps,
    parts: partsInput,
  }),
  run: async (caller, { workflow_id, input, pins = {}, until, wait_seconds: seconds, ...view }, context) => {
    const asked = { workflow_id, input, pinned: pins, until_step: until };
    const run = await testWorkflowOperation.run(caller, asked, context);
    return answerRun(caller, run.run_id, view, seconds);
  },
});

export const RUN_FORMS = [
  runActionForm,
  runActionsForm,
  getRunStatusForm,
  waitForRunForm,
  listRunsForm,
  approveRunForm,
  cancelRunForm,
  replayRunForm,
  testWorkflowForm,
];
