import { ApiError } from "#lib/contract/error/api-error";
import type { RunObject } from "#lib/contract/run/run";
import type { Plan } from "#lib/contract/workspace/plans";
import { createMask, findHiddenTexts } from "#lib/core/redaction/mask-texts";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { copyCheckpoints } from "#lib/domain/journal/checkpoints/copy-checkpoints";
import { loadPins, savePins } from "#lib/domain/journal/checkpoints/pins";
import { copyDoneSteps } from "#lib/domain/journal/copy-done-steps";
import type { KeepAnswer } from "#lib/domain/repeats/answer-once";
import { assertAddresses } from "#lib/domain/runs/create/assert-addresses";
import { createRun } from "#lib/domain/runs/create/create-runs";
import type { Original } from "#lib/domain/runs/create/get-original";
import { type PlannedReplay, planReplay, type ReplayChoice } from "#lib/domain/runs/create/plan-replay";
import { notifyRuns } from "#lib/domain/runs/notify/notify-runs";
import { type Db, transaction } from "#lib/platform/db/pool";
import { announceJob } from "#lib/platform/jobs/announce-jobs";

export interface ReplayRequest extends ReplayChoice {
  plan: Plan;
  actor: Actor;
  /** The user that the hourly run limit counts against; null for an administrator of a workspace without an owner. */
  userId: string | null;
  apiKeyId?: string | undefined;
  traceparent?: string | undefined;
  keep?: KeepAnswer<RunObject> | undefined;
}

/**
 * Creates a new run from an ended one (contract, Run: replay), with today's credentials: with the version of the
 * original, or with the published one if asked to. Reused steps appear in its journal as `reused`, and their real outputs
 * are copied; the original does not change. Runs in one transaction.
 * @throws ApiError RUN_NOT_FOUND; BAD_REQUEST if the run has not ended, the mode does not fit, an address was passed on
 * that the replay does not have, or outputs are no longer stored; INPUT_VALIDATION_FAILED; ACTION_UNAVAILABLE for a key, or without a published version; RATE_LIMIT_EXCEEDED,
 * QUOTA_EXCEEDED
 */
export async function replayRun(request: ReplayRequest): Promise<RunObject> {
  const { workspaceId } = request;
  const run = await transaction(async (tx) => {
    const replay = await planReplay(tx, request);
    const { original, mode, target } = replay;
    assertCallable(request, original);
    if (mode !== "from_start") await assertAddresses(tx, workspaceId, replay);
    const made = await makeRun(tx, request, replay);
    await savePins(tx, { runId: made.run_id, workspaceId }, await loadPins(tx, { runId: original.id, workspaceId }));
    const reused = mode === "from_start" ? 0 : await reuseSteps(tx, request, replay, made.run_id);
    await recordAudit(tx, {
      workspaceId,
      actor: request.actor,
      action: "run.replayed",
      objectType: "run",
      objectId: original.id,
      details: {
        replay_run_id: made.run_id,
        mode,
        step_id: request.stepId ?? null,
        reused_events: reused,
        ...(target.versionId === original.versionId ? {} : { version: target.version }),
      },
    });
    await request.keep?.(tx, made);
    return made;
  });
  if (run.status === "accepted") announceJob();
  await notifyRuns([{ id: run.run_id, workspaceId }]);
  return run;
}

/** A pause keeps agents out; the people who paused the action may repair its runs. */
function assertCallable({ apiKeyId }: ReplayRequest, { action }: Original): void {
  if (apiKeyId === undefined || !action || action.status === "active") return;
  throw new ApiError("action_inactive", `The action ${action.slug} is ${action.status}.`);
}

function makeRun(tx: Db, request: ReplayRequest, { original, mode, target, input }: PlannedReplay): Promise<RunObject> {
  const { workspaceId, plan, userId, apiKeyId, traceparent, stepId } = request;
  const { workflowId, action } = original;
  return createRun(
    {
      workspaceId,
      plan,
      source: "replay",
      dryRun: false,
      target: {
        workflowId,
        versionId: target.versionId,
        ...(target.versionId === null ? { definition: target.definition } : {}),
        action: action && { ...action, releaseVersion: target.version ?? action.releaseVersion, releaseId: null },
        inputSchema: target.inputSchema,
      },
      input,
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
}

/** A replay has the limits of the original's key and those of the caller's: replaying must not widen what a key may run. */
function commonSlugs(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (one === null || other === null) return one ?? other;
  return one.filter((slug) => other.includes(slug));
}

/** @returns how many journal events were reused */
async function reuseSteps(tx: Db, { workspaceId }: ReplayRequest, { original, again }: PlannedReplay, toRunId: string) {
  const selection = { fromRunId: original.id, toRunId, workspaceId, exceptNodes: [...again] };
  await copyCheckpoints(tx, selection);
  return copyDoneSteps(tx, selection);
}
