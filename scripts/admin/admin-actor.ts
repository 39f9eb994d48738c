import type { Actor } from "#lib/domain/audit/record-audit";
import type { Editor } from "#lib/domain/workflows/create-workflow";
import type { WorkspaceRecord } from "#lib/domain/workspaces/get-workspace";

/**
 * The actor of all admin commands. The audit log records it, because anyone who can run these commands controls the
 * machine.
 */
export const ADMIN: Actor = { type: "system", id: null, name: "admin" };

/**
 * Returns the editor of a workspace. Authorship and limits of the administration's changes are the workspace owner's.
 */
export function editorOf({ workspaceId, ownerId }: WorkspaceRecord): Editor {
  return { workspaceId, userId: ownerId, actor: ADMIN };
}
