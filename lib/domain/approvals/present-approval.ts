import type { ApprovalKind, ApprovalObject, ApprovalStatus } from "#lib/contract/approval";
import { openComment } from "#lib/domain/approvals/sealed-comment";

/** A row of approvals as `approvalJson` returns it; the times are ISO 8601. */
export interface ApprovalRow {
  id: string;
  workspace_id: string;
  status: ApprovalStatus;
  kind: ApprovalKind;
  node_id: string;
  message: string | null;
  requested_at: string;
  expires_at: string;
  decided_at: string | null;
  decided_by_type: "api_key" | "user" | "system" | null;
  decided_by_id: string | null;
  decided_by_name: string | null;
  comment: string | null;
  /** In hexadecimal digits, as JSON has it. */
  comment_sealed: string | null;
}

/**
 * Builds the SQL of the approval that a run shows, as JSON: the open one, otherwise the latest.
 * @param runIdSql an expression of the statement, such as `r.id`
 */
export function approvalJson(runIdSql: string): string {
  return `(select to_jsonb(a) from approvals a where a.run_id = ${runIdSql}
    order by a.status = 'pending' desc, a.requested_at desc, a.id desc limit 1)`;
}

/** Presents `run.approval` (decisions, Approvals). */
export function presentApproval(row: ApprovalRow): ApprovalObject {
  return {
    id: row.id,
    status: row.status,
    kind: row.kind,
    step_id: row.node_id === "" ? null : row.node_id,
    message: row.message,
    requested_at: new Date(row.requested_at).toISOString(),
    expires_at: new Date(row.expires_at).toISOString(),
    decided_at: row.decided_at === null ? null : new Date(row.decided_at).toISOString(),
    decided_by:
      row.decided_by_type === null
        ? null
        : { type: row.decided_by_type, id: row.decided_by_id, name: row.decided_by_name },
    comment: openComment(row),
  };
}
