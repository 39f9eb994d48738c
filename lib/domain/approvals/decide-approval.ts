import { DECISIONS, type Decision } from "#lib/contract/approval/approval";
import { ApiError } from "#lib/contract/error/api-error";
import { isTerminal, type RunStatus } from "#lib/contract/run/run";
import { type ApprovalRow, presentApproval, sealComment } from "#lib/domain/approvals/present-approval";
import { ACTOR_TYPES, type Actor } from "#lib/domain/audit/record-audit";
import { bigint, bytea, enumOf, jsonb, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

interface DecisionRequest {
  workspaceId: string;
  runId: string;
  runStatus: RunStatus;
  /** Null selects the one open request. */
  approvalId: string | null;
  decision: Decision;
  comment: string | null;
  actor: Actor;
  /** True if the actor started the run, in a workspace that forbids approving one's own runs. */
  isForbiddenSelf: boolean;
}

export interface DecidedApproval {
  /** False if the same was decided before, and nothing is left to do. */
  isNew: boolean;
  approval: ApprovalRow;
}

/** The most open requests that an ambiguous decision is answered with. */
const SHOWN_MAX = 20;

const writeDecision = defineStatement({
  name: "decide_approval",
  params: {
    workspaceId: uuid,
    id: uuid,
    decision: enumOf(DECISIONS),
    actorType: enumOf(ACTOR_TYPES),
    actorId: nullable(uuid),
    actorName: nullable(text),
    comment: nullable(text),
    commentSealed: nullable(bytea),
  },
  row: { row: jsonb<ApprovalRow>() },
  sql: `update approvals a set status = $3, decided_at = clock_timestamp(), decided_by_type = $4, decided_by_id = $5,
          decided_by_name = $6, comment = $7, comment_sealed = $8
        where a.workspace_id = $1 and a.id = $2 and a.status = 'pending' returning to_jsonb(a) as row`,
});

const findCandidates = defineStatement({
  name: "find_approval_to_decide",
  params: { workspaceId: uuid, runId: uuid, approvalId: nullable(uuid), limit: bigint },
  row: { row: jsonb<ApprovalRow>() },
  sql: `select to_jsonb(a) as row from approvals a
        where a.workspace_id = $1 and a.run_id = $2 and ($3::uuid is null or a.id = $3)
        order by a.status = 'pending' desc, a.requested_at desc, a.id desc limit $4`,
});

/**
 * Decides one approval request (decisions, Approvals), once. A second, equal decision changes nothing; a second,
 * different one learns who decided first. The caller writes the effect on the run.
 * @param tx a transaction that has locked the run's row and expired what was due, so that no one else can decide
 * meanwhile
 * @throws ApiError RUN_NOT_WAITING, APPROVAL_EXPIRED; NOT_FOUND for an approval of another run; BAD_REQUEST if several
 * are open and none is named; FORBIDDEN for one's own run
 */
export async function decideApproval(tx: Db, request: DecisionRequest): Promise<DecidedApproval> {
  const found = await findTarget(tx, request);
  if (found.status === request.decision) return { isNew: false, approval: found };
  if (found.status !== "pending") throw refusal(found);
  if (isTerminal(request.runStatus)) throw notWaiting(request.runStatus);
  if (request.isForbiddenSelf && request.decision === "approved") {
    const message = "This workspace does not let people approve their own runs.";
    throw new ApiError("self_approval", message, { details: { reason: "self_approval" } });
  }
  const { workspaceId, decision, actor, comment } = request;
  const decided = await writeDecision.first(tx, {
    workspaceId,
    id: found.id,
    decision,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    ...sealComment(found, comment),
  });
  if (!decided) throw new Error(`the approval ${found.id} changed under the lock of its run`);
  return { isNew: true, approval: decided.row };
}

/** Finds the approval to decide: the one named, the one open, or otherwise the last, whose decision may be repeated. */
async function findTarget(
  tx: Db,
  { workspaceId, runId, runStatus, approvalId }: DecisionRequest,
): Promise<ApprovalRow> {
  const rows = await findCandidates.all(tx, { workspaceId, runId, approvalId, limit: SHOWN_MAX });
  const [first, second] = rows.map(({ row }) => row);
  if (!first && approvalId !== null) throw new ApiError("NOT_FOUND", "The run has no such approval request.");
  if (!first) throw notWaiting(runStatus);
  // A caller who names no request has seen one of them, and it is unknown which.
  if (second?.status === "pending") {
    const open = rows.flatMap(({ row }) => (row.status === "pending" ? [presentApproval(row)] : []));
    const message = "approval_id: the run is waiting for several approvals. Name the one to decide.";
    throw new ApiError("BAD_REQUEST", message, { details: { approvals: open } });
  }
  return first;
}

/** Explains why a request that is no longer open cannot be decided. */
function refusal(row: ApprovalRow): ApiError {
  const { status, decided_at, decided_by } = presentApproval(row);
  if (status === "expired") return approvalExpired();
  const who = decided_by?.name ?? "Signalbox";
  const text = status === "cancelled" ? "The approval request was canceled" : `The run was already ${status}`;
  return new ApiError("RUN_NOT_WAITING", `${text} by ${who} at ${decided_at}.`, {
    details: { status, decided_by, decided_at },
  });
}

function notWaiting(status: RunStatus): ApiError {
  return new ApiError("RUN_NOT_WAITING", `The run is not waiting for approval. Its status is ${status}.`);
}

export function approvalExpired(): ApiError {
  return new ApiError("APPROVAL_EXPIRED", "The approval request expired before it was decided; the run timed out.");
}
