import type { Actor } from "#lib/domain/audit/record-audit";
import type { Editor } from "#lib/domain/workflows/create-workflow";
import type { WorkspaceRecord } from "#lib/domain/workspaces/get-workspace";

/** Whoever can run these commands has the machine: the audit log says so. */
export const ADMIN: Actor = { type: "system", id: null, name: "admin" };

/** What the administration changes counts as the workspace owner's, as far as authorship and limits go. */
export function editorOf({ workspaceId, ownerId }: WorkspaceRecord): Editor {
  return { workspaceId, userId: ownerId, actor: ADMIN };
}
