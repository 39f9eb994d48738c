import type { ApprovalKind, ApprovalObject, ApprovalStatus } from "#lib/contract/approval/approval";
import { sanitize } from "#lib/core/redaction/sanitize";
import { log } from "#lib/platform/config/log";
import { seal, unseal } from "#lib/platform/secrets/seal";

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

/** The row of an approval, as far as its comment needs it. */
interface CommentedApproval {
  id: string;
  workspace_id: string;
  comment: string | null;
  /** Bytes, or their hexadecimal digits as PostgreSQL writes them into JSON. */
  comment_sealed: Uint8Array | string | null;
}

/** The context that binds a sealed comment to its approval. */
export function commentContext(approvalId: string): string {
  return `approval-comment|${approvalId}`;
}

/** Separates what the row of an approval may show from the comment as it was written, as for the output of a run. */
export function sealComment(
  { id, workspace_id }: Pick<CommentedApproval, "id" | "workspace_id">,
  comment: string | null,
) {
  const shown = sanitize(comment);
  const commentSealed = shown === comment ? null : seal(workspace_id, commentContext(id), comment);
  return { comment: shown, commentSealed };
}

/** Returns the comment as it was written, or its redacted form if the key is lost. */
export function openComment({ id, workspace_id, comment, comment_sealed: sealed }: CommentedApproval): string | null {
  if (sealed === null) return comment;
  try {
    const bytes = typeof sealed === "string" ? Buffer.from(sealed.slice("\\x".length), "hex") : sealed;
    return unseal(workspace_id, commentContext(id), bytes);
  } catch (err) {
    log.warn({ err, approval_id: id }, "the comment of an approval cannot be decrypted; its redacted form is shown");
    return comment;
  }
}
