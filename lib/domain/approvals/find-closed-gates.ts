import { APPROVAL_STATUSES, type ApprovalObject } from "#lib/contract/approval/approval";
import { openComment } from "#lib/domain/approvals/present-approval";
import type { ClosedGate } from "#lib/domain/journal/derive-steps";
import { bytea, enumOf, filled, json, nullable, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const CLOSED_STATUSES = APPROVAL_STATUSES.filter((status) => status !== "pending");

const selectClosed = defineStatement({
  name: "find_closed_gates",
  params: { runId: uuid },
  row: {
    id: uuid,
    workspace_id: uuid,
    node_id: text,
    iteration: text,
    status: enumOf(CLOSED_STATUSES),
    comment: nullable(text),
    comment_sealed: nullable(bytea),
    decided_at: filled(timestamptz),
    decided_by: nullable(json<NonNullable<ApprovalObject["decided_by"]>>()),
  },
  sql: `select id, workspace_id, node_id, iteration, status, comment, comment_sealed, decided_at,
          case when decided_by_type is not null
            then json_build_object('type', decided_by_type, 'id', decided_by_id, 'name', decided_by_name) end as decided_by
        from approvals where run_id = $1 and kind = 'gate' and status <> 'pending'`,
});

/** Returns the gates of a run that no longer wait, for its timeline. */
export async function findClosedGates(runId: string): Promise<ClosedGate[]> {
  const rows = await selectClosed.all(db(), { runId });
  return rows.map((row) => ({
    nodeId: row.node_id,
    iteration: row.iteration,
    status: row.status,
    comment: openComment(row),
    decidedBy: row.decided_by,
    at: row.decided_at,
  }));
}
