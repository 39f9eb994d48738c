import { sanitize } from "#lib/core/redaction/sanitize";
import { log } from "#lib/platform/config/log";
import { seal, unseal } from "#lib/platform/secrets/seal";

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
