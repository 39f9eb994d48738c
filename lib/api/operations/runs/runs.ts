import { z } from "zod";
import { type RequestContext, visibleActions, waitingOf } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { orderInput, pageInput } from "#lib/api/operations/define/list-page";
import { commaList, runFiltersInput, toRunFilters } from "#lib/api/operations/define/run-filters-input";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { STEPS_VIEWS } from "#lib/contract/run/run";
import { runPageSchema, runSchema } from "#lib/contract/run/run-schema";
import { takeRequest } from "#lib/domain/limits/take-request";
import { waitForRun } from "#lib/domain/runs/notify/wait-for-run";
import { takeRequestAndRun } from "#lib/domain/runs/read/find-run";
import { getRun, wantedRun } from "#lib/domain/runs/read/get-run";
import { listRuns } from "#lib/domain/runs/read/list-runs";
import { entityTag } from "#lib/domain/runs/read/run-tag";
import { numeric } from "#lib/support/numbers/numeric";

/** decisions, Lists: the most runs per page if their steps are included. */
const LIMIT_WITH_STEPS = 20;

export const listRunsOperation = defineOperation({
  name: "list_runs",
  title: "List runs",
  description: "Lists the runs of the workspace, newest first. Find a run by its correlation_id.",
  scope: "runs:read",
  role: "viewer",
  rest: {
    method: "GET",
    path: "/runs",
    answers: {
      tag: "Runs",
      successes: { 200: "One page of runs, newest first. Steps are included only with include=steps." },
    },
  },
  mcp: { readOnly: true, sets: ["build"] },
  input: z.object({
    ...runFiltersInput,
    include: commaList(["steps"]).describe("steps: adds each run's timeline. Allows at most 20 runs per page."),
    order: orderInput,
    ...pageInput,
  }),
  output: runPageSchema,
  run: async (caller, input) => {
    const withSteps = input.include !== undefined;
    if (withSteps && input.limit > LIMIT_WITH_STEPS) {
      throw new ApiError("BAD_REQUEST", `limit: must be at most ${LIMIT_WITH_STEPS} with include=steps`);
    }
    return listRuns(
      {
        workspaceId: caller.workspaceId,
        ...toRunFilters(input),
        actionSlugs: visibleActions(caller),
      },
      { limit: input.limit, cursor: input.cursor, order: input.order, withSteps },
    );
  },
});

const runIdInput = z.string().describe("run_id from run_action.");
const stepsInput = z
  .enum(STEPS_VIEWS)
  .default("full")
  .describe("summary leaves out payloads. failed returns only failed steps.");

const stepsCursorInput = z
  .string()
  .max(20)
  .optional()
  .describe(
    "The next page of steps: steps_page.next_cursor of the page before. Only runs with very many steps have one.",
  );

const getRunInput = z.object({
  run_id: runIdInput,
  steps: stepsInput,
  include: commaList(["events"]).describe("events: adds the raw journal."),
  steps_cursor: stepsCursorInput,
});

function readingOf(input: z.output<typeof getRunInput>, { knownTags }: RequestContext) {
  const { steps, include, steps_cursor: stepsCursor } = input;
  return { steps, withEvents: include !== undefined, stepsCursor, knownTags };
}

export const getRunStatusOperation = defineOperation({
  name: "get_run_status",
  title: "Get run status",
  description: "Returns the status, output, error and steps of one run as it is now.",
  scope: "runs:read",
  role: "viewer",
  rest: {
    method: "GET",
    path: "/runs/:run_id",
    answers: {
      tag: "Runs",
      successes: {
        200: "The run as it is now. With Prefer: wait=N, the run when it has ended or when the time is up.",
      },
      headers: ["prefer"],
    },
    take: async (keyId, given, context) => {
      const input = getRunInput.safeParse(given);
      const wanted = input.success ? wantedRun(input.data.run_id, readingOf(input.data, context)) : null;
      if (!wanted) return takeRequest(keyId);
      const { taken, found } = await takeRequestAndRun(keyId, wanted);
      if (found !== undefined) context.foundRun = found;
      return taken;
    },
  },
  mcp: { readOnly: true, sets: ["run", "build"] },
  input: getRunInput,
  output: runSchema,
  run: async (caller, input, context) => {
    const { waitSeconds, foundRun: found } = context;
    const reading = { ...readingOf(input, context), actionSlugs: visibleActions(caller), found };
    const { run, tag, isKnown } =
      waitSeconds === undefined
        ? await getRun(caller.workspaceId, input.run_id, reading)
        : await waitForRun(caller.workspaceId, input.run_id, waitingOf(caller, waitSeconds), reading);
    if (isKnown) context.answerStatus = 304;
    context.answerHeaders = {
      etag: entityTag(tag),
      "x-correlation-id": run.correlation_id,
      ...(waitSeconds === undefined ? {} : { "preference-applied": `wait=${waitSeconds}` }),
    };
    return run;
  },
});

/** decisions, Reading runs: the same wait that REST offers with a header. */
export const waitForRunOperation = defineOperation({
  name: "wait_for_run",
  title: "Wait for run",
  description:
    "Waits until the run has ended or needs an approval, and returns it. If it is still in progress, call this again.",
  scope: "runs:read",
  role: "viewer",
  mcp: { readOnly: true, sets: ["run", "build"] },
  input: z.object({
    run_id: runIdInput,
    timeout_seconds: numeric(z.number().min(0).max(LIMITS.waitSecondsMax)).prefault(LIMITS.waitSecondsMax),
    steps: stepsInput,
  }),
  output: runSchema,
  run: async (caller, input) => {
    const reading = { steps: input.steps, withEvents: false, actionSlugs: visibleActions(caller) };
    return (await waitForRun(caller.workspaceId, input.run_id, waitingOf(caller, input.timeout_seconds), reading)).run;
  },
});
