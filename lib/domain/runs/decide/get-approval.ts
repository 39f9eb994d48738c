import type { ApprovalDetailObject } from "#lib/contract/approval/approval";
import { ApiError } from "#lib/contract/error/api-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { ROLES } from "#lib/contract/workspace/roles";
import { presentRequest, REQUEST_COLUMNS, REQUEST_ROW, REQUEST_TABLES } from "#lib/domain/approvals/request-row";
import { findGate } from "#lib/domain/runs/decide/find-gate";
import { array, bigint, boolean, enumOf, jsonb, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { UUID_PATTERN } from "#lib/support/ids";

const DECIDING_ROLES = ROLES.slice(ROLES.indexOf("approver"));
const NAMED_MAX = 5;

const selectRequest = defineStatement({
  name: "get_approval",
  params: { id: uuid, workspaceId: uuid, userId: uuid, decidingRoles: array(enumOf(ROLES)), decidersMax: bigint },
  row: {
    ...REQUEST_ROW,
    input: jsonb<JsonObject>(),
    is_own_forbidden: nullable(boolean),
    deciders: array(text),
  },
  sql: `select ${REQUEST_COLUMNS}, r.input, s.forbid_self_approval and r.user_id = $3 as is_own_forbidden,
          array(select m_u.name from workspace_members m join users m_u on m_u.id = m.user_id
            where m.workspace_id = a.workspace_id and m.role = any($4)
            order by m.created_at, m.user_id limit $5) as deciders
        from ${REQUEST_TABLES} join workspaces s on s.id = a.workspace_id
        where a.id = $1 and a.workspace_id = $2`,
});

/**
 * Returns one approval request with what a person needs to decide it. Reading it decides nothing (decisions,
 * Approvals).
 * @throws ApiError NOT_FOUND for an unknown request and for one of another workspace alike
 */
export async function getApproval(
  reader: { workspaceId: string; userId: string },
  approvalId: string,
): Promise<ApprovalDetailObject> {
  const row = UUID_PATTERN.test(approvalId)
    ? await selectRequest.first(db(), {
        id: approvalId,
        workspaceId: reader.workspaceId,
        userId: reader.userId,
        decidingRoles: DECIDING_ROLES,
        decidersMax: NAMED_MAX,
      })
    : null;
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
