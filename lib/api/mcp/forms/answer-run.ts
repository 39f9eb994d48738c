import { z } from "zod";
import { countLoops, isFailedStep, nextOf, RUN_PARTS, shortRun, shortStep } from "#lib/api/mcp/forms/short-run";
import { ALL, fitAnswer } from "#lib/api/mcp/forms/shorten";
import { unlisted } from "#lib/api/mcp/mcp-schemas";
import { type Caller, type RequestContext, visibleActions, waitingOf } from "#lib/api/operations/define/caller";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { StepItem } from "#lib/contract/run/journal";
import { isTerminal, type RunObject, STEPS_VIEWS, type StepsView } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { waitForRun } from "#lib/domain/runs/notify/wait-for-run";
import { getRun } from "#lib/domain/runs/read/get-run";
import { numeric } from "#lib/support/numbers/numeric";

export const partsInput = unlisted(z.array(z.enum([...RUN_PARTS, ALL])).optional());

/** The arguments that choose what of a run is answered. */
export const runViewInput = {
  parts: partsInput,
  steps: z.enum(STEPS_VIEWS).optional().describe("Steps with payloads, without them, or the failed ones."),
  step_id: z.string().max(64).optional().describe("Only this step, or the steps in this loop."),
  steps_cursor: z.string().max(30).optional(),
};

export interface RunView {
  include?: string | undefined;
  parts?: readonly string[] | undefined;
  steps?: StepsView | undefined;
  step_id?: string | undefined;
  steps_cursor?: string | undefined;
}

/** The arguments that make a call wait for the run that it starts. */
export const waitInput = {
  wait_seconds: numeric(z.number().min(0).max(LIMITS.waitSecondsMax))
    .optional()
    .describe("Waits up to that long for the run."),
  parts: partsInput,
};

/** Reads a run as REST returns it, after waiting for it. @throws ApiError RUN_NOT_FOUND, BAD_REQUEST */
export async function answerWholeRun(caller: Caller, runId: string, view: RunView, waitSeconds = 0): Promise<object> {
  const { include, steps = "full", step_id: stepId, steps_cursor: stepsCursor } = view;
  const reading = { withEvents: include !== undefined, actionSlugs: visibleActions(caller), steps, stepsCursor };
  const { run } = await waitForRun(caller.workspaceId, runId, waitingOf(caller, waitSeconds), reading);
  return stepId === undefined ? run : { ...run, steps: run.steps.filter((step) => isOfStep(step, stepId)) };
}

/**
 * Reads a run, after waiting for it, and answers what happened: status, output, error and failed steps. The steps inside
 * loops are only counted.
 * @throws ApiError RUN_NOT_FOUND, BAD_REQUEST
 */
export async function answerShortRun(
  caller: Caller,
  runId: string,
  view: RunView,
  context: RequestContext,
  waitSeconds = 0,
): Promise<object> {
  const reading = { withEvents: view.include !== undefined, actionSlugs: visibleActions(caller) };
  const waiting = waitingOf(caller, waitSeconds);
  const { run } = await waitForRun(caller.workspaceId, runId, waiting, { ...reading, steps: "summary" });
  const { steps, next } = await listSteps(caller, run, view);
  return presentRead(run, view, { steps, next, context });
}

/** Shortens a run that an operation returned, without reading it again. */
export function shortenAnswered(
  run: RunObject,
  parts: readonly string[] | undefined,
  context: RequestContext,
): JsonObject {
  const failed = isTerminal(run.status) ? run.steps.filter(isFailedStep).map((step) => shortStep(step, false)) : [];
  return presentRead(run, { parts }, { steps: failed, next: null, context });
}

interface ReadSteps {
  steps: JsonObject[];
  /** The cursor of the next page of steps. */
  next: string | null;
  context: RequestContext;
}

function presentRead(run: RunObject, view: RunView, { steps, next, context }: ReadSteps): JsonObject {
  const loops = countLoops(run);
  const page = {
    ...(next === null ? {} : { next_cursor: next }),
    ...(loops.length === 0 ? {} : { total: run.steps_page?.total ?? run.steps.length, loops }),
  };
  const answer = {
    ...shortRun(run, view.parts),
    ...(steps.length === 0 ? {} : { steps }),
    ...(Object.keys(page).length === 0 ? {} : { steps_page: page }),
    ...(run.events === undefined ? {} : { events: run.events }),
    ...nextOf(run, context),
  };
  return fitAnswer(answer, view.parts);
}

/** Whether an item of the timeline belongs to a step, or to a loop's body. */
function isOfStep({ step_id, iteration }: StepItem, stepId: string): boolean {
  return step_id === stepId || iteration?.loop_id === stepId;
}

/** The most pages of the journal that one call reads: a step that the caller names may be far from the start. */
const PAGES_AT_ONCE = 4;
const CURSOR = /^(\d{1,15})(?::(\d{1,6}))?$/;

/** Lists the steps that an answer contains, as many as fit, and where the next answer continues. */
async function listSteps(
  caller: Caller,
  run: RunObject,
  view: RunView,
): Promise<{ steps: JsonObject[]; next: string | null }> {
  const isListing = view.step_id !== undefined || view.steps !== undefined || view.steps_cursor !== undefined;
  const wanted = view.steps ?? (view.step_id === undefined ? "failed" : "full");
  if (!isListing && !run.steps_page && !run.steps.some(isFailedStep)) return { steps: [], next: null };
  const isWanted = (step: StepItem) => view.step_id === undefined || isOfStep(step, view.step_id);
  let { page, skip } = readCursor(view.steps_cursor);
  const steps: JsonObject[] = [];
  let room: number = LIMITS.toolAnswerCharacters / 2;
  for (let read = 0; read < PAGES_AT_ONCE; read += 1) {
    const reading = { steps: wanted, withEvents: false, actionSlugs: visibleActions(caller), stepsCursor: page };
    const { run: current } = await getRun(caller.workspaceId, run.run_id, reading);
    for (const [index, step] of current.steps.entries()) {
      if (index < skip || !isWanted(step)) continue;
      const item = shortStep(step, isListing);
      room -= JSON.stringify(item).length;
      if (room < 0 && steps.length > 0) return { steps, next: `${page}:${index}` };
      steps.push(item);
    }
    const following = current.steps_page?.next_cursor ?? null;
    if (following === null) return { steps, next: null };
    [page, skip] = [following, 0];
  }
  return { steps, next: page };
}

/** @throws ApiError BAD_REQUEST */
function readCursor(cursor: string | undefined): { page: string; skip: number } {
  const [, page, skip = "0"] = CURSOR.exec(cursor ?? "0") ?? [];
  if (page === undefined) {
    throw new ApiError("BAD_REQUEST", "steps_cursor: send the value of steps_page.next_cursor");
  }
  return { page, skip: Number(skip) };
}
