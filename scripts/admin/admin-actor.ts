import type { Actor } from "#lib/domain/audit/record-audit";
import type { Editor } from "#lib/domain/workflows/create-workflow";
import type { WorkspaceRecord } from "#lib/domain/workspaces/get-workspace";

/** Anyone who can run these commands controls the machine; the audit log records that. */
export const ADMIN: Actor = { type: "system", id: null, name: "admin" };

/** For authorship and limits, changes by the administration count as the workspace owner's. */
export function editorOf({ workspaceId, ownerId }: WorkspaceRecord): Editor {
  return { workspaceId, userId: ownerId, actor: ADMIN };
}
