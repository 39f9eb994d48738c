import type { JsonObject } from "#lib/contract/json-schema";
import type { WorkspaceSettings } from "#lib/contract/workspace";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getWorkspaceSettings } from "#lib/domain/workspaces/get-workspace-settings";
import { lockMembers } from "#lib/domain/workspaces/lock-members";
import { boolean, integer, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/transaction";

/** What admins can change; what is left out stays. */
type Changes = Partial<Pick<WorkspaceSettings, "name" | "time_zone" | "forbid_self_approval" | "run_retention_days">>;

interface UpdateWorkspaceRequest {
  workspaceId: string;
  actor: Actor;
  actorUserId: string;
  changes: Changes;
}

const updateSettings = defineStatement({
  name: "update_workspace",
  params: {
    workspaceId: uuid,
    name: text,
    time_zone: text,
    forbid_self_approval: boolean,
    run_retention_days: nullable(integer),
  },
  sql: `update workspaces set name = $2, time_zone = $3, forbid_self_approval = $4, run_retention_days = $5,
          updated_at = now() where id = $1`,
  isPrepared: false,
});

/**
 * Changes a workspace's settings. The audit log gets what was there before: who loosened a rule stays visible.
 * @throws ApiError FORBIDDEN below admin
 */
export async function updateWorkspace(request: UpdateWorkspaceRequest): Promise<WorkspaceSettings> {
  const { workspaceId, actor, actorUserId, changes } = request;
  return transaction(async (tx) => {
    await lockMembers(tx, workspaceId, actorUserId, "admin");
    const before = await getWorkspaceSettings(tx, workspaceId);
    const after = { ...before, ...changes };
    const details = differences(before, after, Object.keys(changes) as (keyof Changes)[]);
    if (Object.keys(details).length === 0) return before;
    await updateSettings.run(tx, { ...after, workspaceId });
    const entry = { action: "workspace.updated", objectType: "workspace", objectId: workspaceId };
    await recordAudit(tx, { ...entry, workspaceId, actor, details });
    return after;
  });
}

function differences(before: WorkspaceSettings, after: WorkspaceSettings, names: (keyof Changes)[]): JsonObject {
  const changed = names.filter((name) => before[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
}
