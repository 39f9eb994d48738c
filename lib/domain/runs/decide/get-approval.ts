import { ApiError } from "#lib/contract/api-error";
import type { ApprovalDetailObject } from "#lib/contract/approval";
import type { JsonObject } from "#lib/contract/json-schema";
import { ROLES } from "#lib/contract/roles";
import { presentRequest, REQUEST_COLUMNS, REQUEST_TABLES, type RequestRow } from "#lib/domain/approvals/request-row";
import { findGate } from "#lib/domain/runs/decide/find-gate";
import { db } from "#lib/platform/db/pool";
import { UUID_PATTERN } from "#lib/support/ids";

interface DetailRow extends RequestRow {
  input: JsonObject;
  is_own_forbidden: boolean;
  deciders: string[];
}

const DECIDING_ROLES = ROLES.slice(ROLES.indexOf("approver"));
const NAMED_MAX = 5;

/**
 * One approval request with what a person needs to decide it. Reading it decides nothing (decisions, Approval).
 * @throws ApiError NOT_FOUND: unknown or another workspace's, both alike
 */
export async function getApproval(
  reader: { workspaceId: string; userId: string },
  approvalId: string,
): Promise<ApprovalDetailObject> {
  const { rows } = UUID_PATTERN.test(approvalId)
    ? await db().query<DetailRow>({
        name: "get_approval",
        text: `select ${REQUEST_COLUMNS}, r.input, s.forbid_self_approval and r.user_id = $3 as is_own_forbidden,
                 array(select m_u.name from workspace_members m join users m_u on m_u.id = m.user_id
                   where m.workspace_id = a.workspace_id and m.role = any($4)
                   order by m.created_at, m.user_id limit $5) as deciders
               from ${REQUEST_TABLES} join workspaces s on s.id = a.workspace_id
               where a.id = $1 and a.workspace_id = $2`,
        values: [approvalId, reader.workspaceId, reader.userId, DECIDING_ROLES, NAMED_MAX],
      })
    : { rows: [] };
  const row = rows[0];
  if (!row) throw new ApiError("NOT_FOUND", "There is no such approval request.");
  const request = presentRequest(row);
  const gate = request.step_id === null ? null : await findGate(db(), row.run_id, request.step_id);
  return {
    ...request,
    input: row.input,
    step_name: gate?.name ?? null,
    has_rejected_branch: gate?.hasRejectedBranch ?? false,
    is_own_forbidden: row.is_own_forbidden ?? false,
    deciders: row.deciders,
  };
}
