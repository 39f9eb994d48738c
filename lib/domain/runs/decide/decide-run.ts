import type { Decision } from "#lib/contract/approval/approval";
import { isWaiting, type RunError, type RunObject, requireTransitions } from "#lib/contract/run/run";
import { approvalExpired, decideApproval } from "#lib/domain/approvals/decide-approval";
import type { ApprovalRow } from "#lib/domain/approvals/present-approval";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { cancelTree } from "#lib/domain/runs/decide/cancel-tree";
import { expireRun } from "#lib/domain/runs/decide/expire-approvals";
import { findGate } from "#lib/domain/runs/decide/find-gate";
import { notifyEndedRuns } from "#lib/domain/runs/notify/notify-ended-runs";
import { type ChangedRun, notifyRuns } from "#lib/domain/runs/notify/notify-runs";
import { getRunRow, type RunReference } from "#lib/domain/runs/read/get-run";
import { type LockedRun, lockRun } from "#lib/domain/runs/read/lock-run";
import { presentRun } from "#lib/domain/runs/read/present-run";
import { readTimeline } from "#lib/domain/runs/read/read-timeline";
import type { RunRow } from "#lib/domain/runs/read/run-row";
import { boolean, enumOf, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, repeatableTransaction } from "#lib/platform/db/pool";
import { enqueueRun, requeueRuns } from "#lib/platform/jobs/requeue-runs";

export interface RunDecision extends RunReference {
  decision: Decision;
  comment: string | null;
  /** Null selects the one open approval. */
  approvalId: string | null;
  actor: Actor;
  /** The person who decides, or the creator of the key. */
  userId: string;
}

/** The outcome of the transaction, to announce after the commit. `row` is null if the run expired instead. */
interface Settled {
  row: RunRow | null;
  changed: ChangedRun[];
  haveEnded: boolean;
}

/**
 * Approves or rejects a run that waits (contract, Endpoints; decisions, Approvals). Every decision, expiry and cancel
 * locks the run's row first, so there is one winner, and the job exists if and only if the run was approved.
 * @returns the run as the decision left it
 * @throws ApiError RUN_NOT_FOUND, APPROVAL_EXPIRED, and what decideApproval throws
 */
export async function decideRun(request: RunDecision): Promise<RunObject> {
  const { row, changed, haveEnded } = await repeatableTransaction((tx) => settle(tx, request));
  await (haveEnded ? notifyEndedRuns(changed) : notifyRuns(changed));
  // Throws only now that the expiry is committed.
  if (!row) throw approvalExpired();
  return presentRun(row, await readTimeline(row, "full"));
}

async function settle(tx: Db, request: RunDecision): Promise<Settled> {
  const run = await lockRun(tx, request);
  const expired = await expireRun(tx, run.id);
  if (expired.length > 0) return { row: null, changed: expired, haveEnded: true };
  const { isNew, approval } = await decideApproval(tx, {
    workspaceId: run.workspaceId,
    runId: run.id,
    runStatus: run.status,
    approvalId: request.approvalId,
    decision: request.decision,
    comment: request.comment,
    actor: request.actor,
    isForbiddenSelf: isSelf(run, request) && (await forbidsSelfApproval(tx, run.workspaceId)),
  });
  const ended = isNew ? await apply(tx, run, request, approval) : [];
  const changed = ended.length === 0 && isNew ? [{ id: run.id, workspaceId: run.workspaceId }] : ended;
  return { row: await getRunRow(tx, request, "full"), changed, haveEnded: ended.length > 0 };
}

/**
 * Reports whether the run is the caller's own: it counts against the same user, whether a session or any key of that user
 * started it, or the same key started it, even if the key has another user by now.
 */
function isSelf(run: LockedRun, { userId, actor }: RunDecision): boolean {
  return run.userId === userId || (actor.type === "api_key" && run.apiKeyId === actor.id);
}

/** @returns the runs that ended because of the decision */
async function apply(tx: Db, run: LockedRun, request: RunDecision, approval: ApprovalRow): Promise<ChangedRun[]> {
  const { decision, actor } = request;
  await recordAudit(tx, {
    workspaceId: run.workspaceId,
    actor,
    action: `run.${decision}`,
    objectType: "run",
    objectId: run.id,
    details: { approval_id: approval.id, kind: approval.kind, step_id: approval.node_id || null },
  });
  if (decision === "approved") {
    await goOn(tx, run, approval);
    return [];
  }
  const gate = approval.kind === "gate" ? await findGate(tx, run.id, approval.node_id) : null;
  if (gate?.hasRejectedBranch) {
    await goOn(tx, run, approval);
    return [];
  }
  const error: RunError = {
    code: "APPROVAL_REJECTED",
    reason: "approval_rejected",
    message: `Rejected by ${actor.name ?? "Signalbox"}`,
    ...(gate === null ? {} : { step_id: approval.node_id }),
    ...(gate?.name ? { step_name: gate.name } : {}),
  };
  return cancelTree(tx, [run.id], { error, actor });
}

const AFTER_APPROVAL = ["accepted", "running"] as const;
for (const status of AFTER_APPROVAL) requireTransitions(["waiting_for_approval"], status);

const continueRun = defineStatement({
  name: "go_on_after_approval",
  params: { workspaceId: uuid, runId: uuid, status: enumOf(AFTER_APPROVAL) },
  sql: "update runs set status = $3 where workspace_id = $1 and id = $2 and status = 'waiting_for_approval'",
});

/**
 * Continues a run after a decision. A run held by its action's policy has not started: it becomes `accepted`. A run
 * that waited at a gate has started: it becomes `running` without a worker, and any worker may claim it, even if other
 * gates of it are still open. A run that still executes another branch learns the decision when its worker would park
 * it; a run that is parked for a delay or a sub-run continues at once.
 */
async function goOn(tx: Db, run: LockedRun, approval: ApprovalRow): Promise<void> {
  if (!isWaiting(run.status) && approval.kind === "gate") {
    if (run.isParked) await requeueRuns(tx, [{ runId: run.id, stalled: run.stalled }]);
    return;
  }
  const status = approval.kind === "policy" ? "accepted" : "running";
  if ((await continueRun.run(tx, { workspaceId: run.workspaceId, runId: run.id, status })) !== 1)
    throw new Error(`the run ${run.id} has an open approval of its action, but its status is ${run.status}`);
  if (approval.kind === "policy") await enqueueRun(tx, run.id);
  else await requeueRuns(tx, [{ runId: run.id, stalled: run.stalled }]);
}

const readSelfApproval = defineStatement({
  name: "forbids_self_approval",
  params: { workspaceId: uuid },
  row: { forbids: boolean },
  sql: "select forbid_self_approval as forbids from workspaces where id = $1",
});

async function forbidsSelfApproval(tx: Db, workspaceId: string): Promise<boolean> {
  return (await readSelfApproval.first(tx, { workspaceId }))?.forbids ?? false;
}
