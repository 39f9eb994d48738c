import { z } from "zod";
import {
  answerShortRun,
  answerWholeRun,
  partsInput,
  type RunView,
  runViewInput,
  shortenAnswered,
  waitInput,
} from "#lib/api/mcp/forms/answer-run";
import { RUN_PARTS, shortRun } from "#lib/api/mcp/forms/short-run";
import { allInput, fitAnswer, leaveOut } from "#lib/api/mcp/forms/shorten";
import { defineToolForm } from "#lib/api/mcp/forms/tool-form";
import { unlisted } from "#lib/api/mcp/mcp-schemas";
import { runActionOperation } from "#lib/api/operations/calls/run-action";
import { runActionsOperation } from "#lib/api/operations/calls/run-actions";
import type { AnswerView, Caller, RequestContext } from "#lib/api/operations/define/caller";
import { authorize } from "#lib/api/operations/define/define-operation";
import { approveRunOperation, cancelRunOperation } from "#lib/api/operations/runs/run-decisions";
import { replayRunOperation, testWorkflowOperation } from "#lib/api/operations/runs/run-replays";
import { getRunStatusOperation, listRunsOperation, waitForRunOperation } from "#lib/api/operations/runs/runs";
import { LIMITS } from "#lib/contract/limits";
import { isTerminal, type RunObject, STEPS_VIEWS } from "#lib/contract/run/run";

interface StartedView {
  waitSeconds: number | undefined;
  parts: readonly string[] | undefined;
  view: AnswerView;
}

/** Answers a run that was just started: at once, or with its outcome if the caller waits. */
function answerStarted(
  caller: Caller,
  run: RunObject,
  { waitSeconds, parts, view }: StartedView,
  context: RequestContext,
): object | Promise<object> {
  if (waitSeconds === undefined || isTerminal(run.status)) return answerAs(view, run, parts, context);
  return readRun(caller, run.run_id, { parts }, { view, waitSeconds, context });
}

function answerAs(
  view: AnswerView,
  run: RunObject,
  parts: readonly string[] | undefined,
  context: RequestContext,
): object {
  return view === "full" ? run : shortenAnswered(run, parts, context);
}

function readRun(
  caller: Caller,
  runId: string,
  asked: RunView,
  { view, waitSeconds, context }: { view: AnswerView; waitSeconds?: number; context: RequestContext },
): Promise<object> {
  return view === "full"
    ? answerWholeRun(caller, runId, asked, waitSeconds)
    : answerShortRun(caller, runId, asked, context, waitSeconds);
}

/** Waiting for a run reads it, so the key needs the scope of a reader, before anything starts. */
function requireReader(caller: Caller, waitSeconds: number | undefined): void {
  if (waitSeconds !== undefined) authorize(waitForRunOperation, caller);
}

const runActionForm = defineToolForm(runActionOperation, {
  input: runActionOperation.input.extend(waitInput),
  run: async (caller, { wait_seconds: waitSeconds, parts, ...input }, context, view) => {
    requireReader(caller, waitSeconds);
    const run = await runActionOperation.run(caller, input, context);
    return answerStarted(caller, run, { waitSeconds, parts, view }, context);
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
    parts: allInput,
  }),
  run: async (caller, { parts: _, ...input }, context, view) => {
    const batch = await runActionsOperation.run(caller, input, context);
    if (view === "full") return batch;
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
  run: (caller, { run_id: runId, ...asked }, context, view) => readRun(caller, runId, asked, { view, context }),
});

const waitForRunForm = defineToolForm(waitForRunOperation, {
  input: waitForRunOperation.input.extend({ parts: partsInput, steps: z.enum(STEPS_VIEWS).optional() }),
  run: (caller, { run_id: runId, timeout_seconds: waitSeconds, ...asked }, context, view) =>
    readRun(caller, runId, asked, { view, waitSeconds, context }),
});

const listRunsForm = defineToolForm(listRunsOperation, {
  input: listRunsOperation.input.extend({
    error_text: unlisted(listRunsOperation.input.shape.error_text),
    q: z.string().max(200).optional().describe("Words of the run's error."),
    parts: partsInput,
  }),
  run: async (caller, { q, parts, ...input }, context, view) => {
    const page = await listRunsOperation.run(caller, { ...input, error_text: q ?? input.error_text }, context);
    if (view === "full") return page;
    const hidden = RUN_PARTS.filter((part) => !parts?.includes(part));
    const data = page.data.map((run) => {
      const steps = input.include === undefined ? {} : { steps: run.steps };
      return { ...shortRun(run, parts, hidden), created_at: run.created_at, ...steps };
    });
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
  run: async (caller, { parts, ...input }, context, view) =>
    answerAs(view, await approveRunOperation.run(caller, input, context), parts, context),
});

const cancelRunForm = defineToolForm(cancelRunOperation, {
  input: cancelRunOperation.input.extend(decisionParts),
  run: async (caller, { parts, ...input }, context, view) =>
    answerAs(view, await cancelRunOperation.run(caller, input, context), parts, context),
});

const replayRunForm = defineToolForm(replayRunOperation, {
  input: replayRunOperation.input.extend(waitInput),
  run: async (caller, { wait_seconds: waitSeconds, parts, ...input }, context, view) => {
    const run = await replayRunOperation.run(caller, input, context);
    return answerStarted(caller, run, { waitSeconds, parts, view }, context);
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
  run: async (caller, { workflow_id, input, pins = {}, until, wait_seconds: seconds, ...asked }, context, view) => {
    const test = { workflow_id, input, pinned: pins, until_step: until };
    const run = await testWorkflowOperation.run(caller, test, context);
    return readRun(caller, run.run_id, asked, { view, waitSeconds: seconds, context });
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
