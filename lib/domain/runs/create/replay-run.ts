import { ApiError } from "#lib/contract/api-error";
import type { JsonObject } from "#lib/contract/json-schema";
import type { Plan } from "#lib/contract/plans";
import { type ReplayMode, type RunObject, USUAL_REPLAY_MODE } from "#lib/contract/run";
import { rerunNodes } from "#lib/core/graph/rerun-nodes";
import { createMask, findHiddenTexts } from "#lib/core/redaction/mask-texts";
import { restoreRedacted } from "#lib/core/redaction/restore-redacted";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { copyCheckpoints } from "#lib/domain/journal/checkpoints/copy-checkpoints";
import { loadPins, savePins } from "#lib/domain/journal/checkpoints/pins";
import { copyDoneSteps } from "#lib/domain/journal/copy-done-steps";
import { createRun } from "#lib/domain/runs/create/create-run";
import { getOriginal, type Original } from "#lib/domain/runs/create/get-original";
import { notifyRuns } from "#lib/domain/runs/notify/notify-runs";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import type { Db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";

export interface ReplayRequest extends RunReference {
  plan: Plan;
  /**
   * Defaults to `from_step` if a step is named, otherwise to the mode for the original's status (decisions, Replay).
   */
  mode?: ReplayMode | undefined;
  /** For `from_step`: the first step that runs again. */
  stepId?: string | undefined;
  /** For `from_start`: replaces the original's input. A value left as it was shown keeps its real value. */
  input?: JsonObject | undefined;
  actor: Actor;
  /** The user that the hourly run limit counts against; null for an administrator of a workspace without an owner. */
  userId: string | null;
  apiKeyId?: string | undefined;
  traceparent?: string | undefined;
}

/**
 * Creates a new run from an ended one (contract, Run: replay), with the same version of the workflow and today's
 * credentials. Reused steps appear in its journal as `reused`, and their real outputs are copied; the original does not
 * change. Runs in one transaction.
 * @throws ApiError RUN_NOT_FOUND; BAD_REQUEST if the run has not ended, the mode does not fit, or outputs are no longer
 * stored; INPUT_VALIDATION_FAILED; ACTION_UNAVAILABLE for a key; RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED
 */
export async function replayRun(request: ReplayRequest): Promise<RunObject> {
  const { workspaceId } = request;
  const run = await transaction(async (tx) => {
    const original = await getOriginal(tx, request);
    const mode = chooseMode(request, original);
    assertCallable(request, original);
    const made = await makeRun(tx, request, original, mode);
    await savePins(tx, { runId: made.run_id, workspaceId }, await loadPins(tx, { runId: original.id, workspaceId }));
    const reused = mode === "from_start" ? 0 : await reuseSteps(tx, request, original, made.run_id);
    await recordAudit(tx, {
      workspaceId,
      actor: request.actor,
      action: "run.replayed",
      objectType: "run",
      objectId: original.id,
      details: { replay_run_id: made.run_id, mode, step_id: request.stepId ?? null, reused_events: reused },
    });
    return made;
  });
  await notifyRuns([{ id: run.run_id, workspaceId }], { haveEnded: false });
  return run;
}

/** @throws ApiError BAD_REQUEST naming the field */
function chooseMode({ mode: asked, stepId, input }: ReplayRequest, { status, definition }: Original): ReplayMode {
  const usual = stepId !== undefined ? "from_step" : input ? "from_start" : USUAL_REPLAY_MODE[status];
  const mode = asked ?? usual;
  if (mode === "from_step" && stepId === undefined) {
    throw new ApiError("BAD_REQUEST", "step_id: required for mode from_step");
  }
  if (mode !== "from_step" && stepId !== undefined) {
    throw new ApiError("BAD_REQUEST", `step_id: only allowed with mode from_step, not ${mode}`);
  }
  if (stepId !== undefined && !definition.nodes.some((node) => node.id === stepId)) {
    throw new ApiError("BAD_REQUEST", "step_id: no such step in the version that this run executed");
  }
  if (mode !== "from_start" && input !== undefined) {
    throw new ApiError(
      "BAD_REQUEST",
      `input: only allowed with mode from_start, not ${mode}, because completed steps used the original input`,
    );
  }
  return mode;
}

/** A pause keeps agents out; the people who paused the action may repair its runs. */
function assertCallable({ apiKeyId }: ReplayRequest, { action }: Original): void {
  if (apiKeyId === undefined || !action || action.status === "active") return;
  throw new ApiError("action_inactive", `The action ${action.slug} is ${action.status}.`);
}

async function makeRun(tx: Db, request: ReplayRequest, original: Original, mode: ReplayMode): Promise<RunObject> {
  const { workspaceId, plan, userId, apiKeyId, traceparent, stepId } = request;
  const { workflowId, versionId, definition, action } = original;
  const isEdited = request.input !== undefined;
  const created = await createRun(
    {
      workspaceId,
      plan,
      source: "replay",
      dryRun: false,
      target: {
        workflowId,
        versionId,
        ...(versionId === null ? { definition } : {}),
        action: action && { ...action, releaseId: null },
        // The version is the same, so an input that was accepted once is accepted again.
        inputSchema: isEdited ? original.inputSchema : null,
      },
      input: request.input === undefined ? original.input : editedInput(request.input, original),
      mask: createMask(findHiddenTexts(original.shownInput, original.input)),
      userId,
      allowedSlugs: commonSlugs(request.actionSlugs, original.allowedSlugs),
      ...(apiKeyId === undefined ? {} : { apiKeyId }),
      correlationId: original.correlationId,
      traceparent,
      resumeFrom: { runId: original.id, ...(mode === "from_step" && stepId !== undefined ? { stepId } : {}) },
    },
    tx,
  );
  if (created.outcome === "stale") throw new Error("a replay has no release that could be stale");
  return created.run;
}

/** A replay has the limits of the original's key and those of the caller's: replaying must not widen what a key may run. */
function commonSlugs(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (one === null || other === null) return one ?? other;
  return one.filter((slug) => other.includes(slug));
}

/** @throws ApiError INPUT_VALIDATION_FAILED if a text still contains [REDACTED] */
function editedInput(edited: JsonObject, { shownInput, input }: Original): JsonObject {
  const { value, lost } = restoreRedacted(edited, shownInput, input);
  if (lost.length === 0) return value;
  throw new ApiError(
    "INPUT_VALIDATION_FAILED",
    "The input contains edited text with hidden values. Type the whole value.",
    { details: lost },
  );
}

/** @returns how many journal events were reused */
async function reuseSteps(tx: Db, { workspaceId, stepId }: ReplayRequest, original: Original, toRunId: string) {
  const exceptNodes = stepId === undefined ? [] : [...rerunNodes(original.definition, stepId)];
  const selection = { fromRunId: original.id, toRunId, workspaceId, exceptNodes };
  await copyCheckpoints(tx, selection);
  return copyDoneSteps(tx, selection);
}
