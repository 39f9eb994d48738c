import { ApiError } from "#lib/contract/error/api-error";
import type { RunObject } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import type { Plan } from "#lib/contract/workspace/plans";
import { isError } from "#lib/core/graph/checks/problem";
import { draftEvent } from "#lib/core/graph/edits/draft-event";
import { draftInputSchema } from "#lib/core/graph/edits/draft-input-schema";
import { partUntil } from "#lib/core/graph/edits/part-until";
import { createMask, type Mask, NO_MASK } from "#lib/core/redaction/mask-texts";
import { savePins } from "#lib/domain/journal/checkpoints/pins";
import type { KeepAnswer } from "#lib/domain/repeats/answer-once";
import { createRun } from "#lib/domain/runs/create/create-runs";
import { restoreValues, type TakenValues } from "#lib/domain/runs/create/restore-values";
import { notifyRuns } from "#lib/domain/runs/notify/notify-runs";
import { findProblems } from "#lib/domain/workflows/checks/find-problems";
import { loadSurroundings, type Surroundings } from "#lib/domain/workflows/checks/load-surroundings";
import { type LockedWorkflow, lockWorkflow } from "#lib/domain/workflows/lock-workflow";
import { type Db, transaction } from "#lib/platform/db/pool";
import { announceJob } from "#lib/platform/jobs/announce-jobs";
import { listSuggestions } from "#lib/support/list-suggestions";

export interface DraftRun {
  workspaceId: string;
  plan: Plan;
  userId: string;
  workflowId: string;
  /** The input of the action, or the event of the trigger (`draftEvent`). */
  input: JsonObject;
  /** Outputs by node id, used instead of executing the node. */
  pinned: JsonObject;
  /** Runs only this step and the steps upstream of it. */
  untilStep?: string | undefined;
  expectedRevision?: number | undefined;
  /** The run that input and pinned outputs were copied from, where they were shown redacted. */
  fromRunId?: string | undefined;
  /** Other runs that single pins were copied from, by node id. */
  pinnedFrom?: Readonly<Record<string, string>> | undefined;
  keep?: KeepAnswer<RunObject> | undefined;
}

/**
 * Runs the draft as it is saved (decisions, Test runs): source `test`, with the definition stored on the run, so that
 * editing can continue. Side effects are real, except for pinned nodes. It counts like any run, and no approval policy
 * holds it.
 * @throws ApiError NOT_FOUND, REVISION_CONFLICT, PUBLISH_VALIDATION_FAILED, BAD_REQUEST naming the field,
 * INPUT_VALIDATION_FAILED, RUN_NOT_FOUND, RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED
 */
export async function runDraft(request: DraftRun): Promise<RunObject> {
  const { workspaceId, plan, userId, workflowId, expectedRevision } = request;
  const run = await transaction(async (tx) => {
    const workflow = await lockWorkflow(tx, workspaceId, workflowId, expectedRevision);
    const surroundings = await loadSurroundings(tx, workspaceId, workflow.draft, workflowId);
    const definition = runnablePart(workflow, request, surroundings);
    const { input: given, pinned, mask } = await restoreTaken(tx, request);
    const input = draftEvent(definition, given, new Date());
    const target = { workflowId, versionId: null, definition, action: null, inputSchema: draftInputSchema(definition) };
    const created = await createRun(
      { workspaceId, plan, userId, source: "test", dryRun: false, target, input, mask },
      tx,
    );
    const ids = new Set(definition.nodes.map((node) => node.id));
    const pins = new Map(Object.entries(pinned).filter(([id]) => ids.has(id)));
    await savePins(tx, { runId: created.run_id, workspaceId }, pins);
    await request.keep?.(tx, created);
    return created;
  });
  if (run.status === "accepted") announceJob();
  await notifyRuns([{ id: run.run_id, workspaceId }]);
  return run;
}

/** Returns input and pins with their real values, each from the run it was copied from. */
async function restoreTaken(tx: Db, request: DraftRun): Promise<TakenValues & { mask: Mask }> {
  const { workspaceId, input, pinned, fromRunId, pinnedFrom = {} } = request;
  const byRun = Object.groupBy(Object.entries(pinned), ([id]) => pinnedFrom[id] ?? fromRunId ?? "");
  const taken = { input, pinned: { ...pinned }, mask: NO_MASK };
  for (const runId of new Set([...(fromRunId === undefined ? [] : [fromRunId]), ...Object.keys(byRun)])) {
    if (runId === "") continue;
    const wanted = { input: runId === fromRunId ? input : {}, pinned: Object.fromEntries(byRun[runId] ?? []) };
    const restored = await restoreValues(tx, { workspaceId, runId }, wanted);
    if (runId === fromRunId) Object.assign(taken, { input: restored.input, mask: createMask(restored.hidden) });
    Object.assign(taken.pinned, restored.pinned);
  }
  return taken;
}

/** @throws ApiError BAD_REQUEST, PUBLISH_VALIDATION_FAILED */
function runnablePart(
  { draft, latestVersion, type }: LockedWorkflow,
  { untilStep, pinned }: DraftRun,
  surroundings: Surroundings,
): Definition {
  const ids = new Set(draft.nodes.map((node) => node.id));
  for (const id of Object.keys(pinned)) {
    if (!ids.has(id)) throw new ApiError("BAD_REQUEST", `pinned.${id.slice(0, 64)}: the draft has no such node`);
  }
  if (untilStep !== undefined && !ids.has(untilStep)) {
    const { words } = listSuggestions(untilStep, ids, "the nodes are");
    throw new ApiError("BAD_REQUEST", `until_step: the draft has no such node${words}`);
  }
  const definition = untilStep === undefined ? draft : partUntil(draft, untilStep);
  const problems = findProblems(definition, latestVersion === 0 ? null : type, surroundings)
    // A partial test of a workflow does not have to reach its end.
    .filter(isError)
    .filter((problem) => untilStep === undefined || problem.code !== "RETURN_OUTPUT_COUNT");
  if (problems.length === 0) return definition;
  throw new ApiError("PUBLISH_VALIDATION_FAILED", "The draft has problems and cannot run yet.", { details: problems });
}
