import type { ApprovalObject } from "#lib/contract/approval";
import type { ClosedGate } from "#lib/domain/journal/derive-steps";
import { db } from "#lib/platform/db/pool";

interface ClosedGateRow {
  node_id: string;
  iteration: string;
  status: ClosedGate["status"];
  comment: string | null;
  decided_at: Date;
  decided_by: ApprovalObject["decided_by"];
}

/** The gates of a run that wait no more, for its timeline. */
export async function findClosedGates(runId: string): Promise<ClosedGate[]> {
  const { rows } = await db().query<ClosedGateRow>({
    name: "find_closed_gates",
    text: `select node_id, iteration, status, comment, decided_at,
             case when decided_by_type is not null
               then json_build_object('type', decided_by_type, 'id', decided_by_id, 'name', decided_by_name) end as decided_by
           from approvals where run_id = $1 and kind = 'gate' and status <> 'pending'`,
    values: [runId],
  });
  return rows.map(({ node_id: nodeId, iteration, status, comment, decided_at: at, decided_by: decidedBy }) => ({
    nodeId,
    iteration,
    status,
    comment,
    decidedBy,
    at,
  }));
}
