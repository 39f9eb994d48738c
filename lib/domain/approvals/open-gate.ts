import { APPROVAL_KINDS, type ApprovalKind } from "#lib/contract/approval/approval";
import { LIMITS } from "#lib/contract/limits";
import type { Gate, GateDecision } from "#lib/core/engine/ports";
import { sanitize } from "#lib/core/redaction/sanitize";
import { type ApprovalRow, presentApproval } from "#lib/domain/approvals/present-approval";
import { lockLease } from "#lib/domain/journal/lock-lease";
import { enumOf, float8, jsonb, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, transaction } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";
import { storableJson } from "#lib/support/json";

/**
 * Reads the decision at a gate of a run that this worker has claimed, and opens its request the first time (contract,
 * Journal: step_pending_approval; decisions, Approvals). A gate is identified by run, node and iteration, so each has
 * its own request.
 * @returns null while the request is open
 * @throws LeaseLost if this worker no longer has the run: it was cancelled, or the request expired
 */
export async function openGate(
  run: { workspaceId: string; lease: { runId: string; token: number } },
  { nodeId, iteration, message }: Gate,
): Promise<GateDecision | null> {
  const { runId } = run.lease;
  const row = await transaction(async (tx) => {
    await lockLease(tx, run.lease);
    const text = message === null ? null : storableText(message);
    return openApproval(tx, { workspaceId: run.workspaceId, runId, kind: "gate", nodeId, iteration, message: text });
  });
  const { status, comment, decided_by: decidedBy } = presentApproval(row);
  if (status !== "approved" && status !== "rejected") return null;
  return { isApproved: status === "approved", comment, decidedBy };
}

/** Sanitized as in the journal, because everyone who may read runs reads this too. */
function storableText(message: string): string {
  return JSON.parse(storableJson(sanitize(message.slice(0, LIMITS.commentCharacters))));
}

interface NewApproval {
  workspaceId: string;
  runId: string;
  kind: ApprovalKind;
  /** A gate is keyed by node and iteration: a second gate never inherits the first's decision. */
  nodeId?: string;
  iteration?: string;
  message?: string | null;
}

const insertOrFind = defineStatement({
  name: "open_approval",
  params: {
    id: uuid,
    workspaceId: uuid,
    runId: uuid,
    kind: enumOf(APPROVAL_KINDS),
    nodeId: text,
    iteration: text,
    message: nullable(text),
    expirySeconds: float8,
  },
  row: { row: jsonb<ApprovalRow>() },
  sql: `with added as (
          insert into approvals (id, workspace_id, run_id, kind, node_id, iteration, message, requested_at, expires_at)
          select $1, $2, $3, $4, $5, $6, $7, t.at, t.at + make_interval(secs => $8) from (select clock_timestamp() as at) t
          on conflict (run_id, node_id, iteration) do nothing
          returning *)
        select to_jsonb(a) as row from added a
        union all
        select to_jsonb(a) from approvals a where a.run_id = $3 and a.node_id = $5 and a.iteration = $6
        limit 1`,
});

/**
 * Opens the approval request of a run inside the caller's transaction; it expires one hour later (contract, Run). If
 * the request is already open, nothing changes: a gate that is reached again after a crash keeps its request.
 */
export async function openApproval(tx: Db, approval: NewApproval): Promise<ApprovalRow> {
  const { row } = await insertOrFind.one(tx, {
    id: uuidv7(),
    workspaceId: approval.workspaceId,
    runId: approval.runId,
    kind: approval.kind,
    nodeId: approval.nodeId ?? "",
    iteration: approval.iteration ?? "",
    message: approval.message ?? null,
    expirySeconds: LIMITS.approvalExpiryMs / 1000,
  });
  return row;
}
