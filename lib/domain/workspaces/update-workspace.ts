import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { WorkspaceSettings } from "#lib/contract/workspace/workspace";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getWorkspaceSettings } from "#lib/domain/workspaces/get-workspace-settings";
import { lockMembers } from "#lib/domain/workspaces/lock-members";
import { prismaTransaction } from "#lib/platform/db/prisma";

/** The settings that admins can change; a field that is left out does not change. */
type Changes = Partial<
  Pick<WorkspaceSettings, "name" | "time_zone" | "forbid_self_approval" | "redact_outputs" | "run_retention_days">
>;

interface UpdateWorkspaceRequest {
  workspaceId: string;
  actor: Actor;
  actorUserId: string;
  changes: Changes;
}

/**
 * Changes a workspace's settings. The audit log records the old values, so that it stays visible who loosened a rule.
 * @throws ApiError FORBIDDEN below admin
 */
export async function updateWorkspace(request: UpdateWorkspaceRequest): Promise<WorkspaceSettings> {
  const { workspaceId, actor, actorUserId, changes } = request;
  return prismaTransaction(async (tx) => {
    await lockMembers(tx, workspaceId, actorUserId, "admin");
    const before = await getWorkspaceSettings(tx.prisma, workspaceId);
    const after = { ...before, ...changes };
    const details = differences(before, after, Object.keys(changes) as (keyof Changes)[]);
    if (Object.keys(details).length === 0) return before;
    await tx.prisma.workspace.updateMany({
      where: { id: workspaceId },
      data: {
        name: after.name,
        timeZone: after.time_zone,
        forbidSelfApproval: after.forbid_self_approval,
        redactOutputs: after.redact_outputs,
        runRetentionDays: after.run_retention_days,
        updatedAt: new Date(),
      },
    });
    const entry = { action: "workspace.updated" as const, objectType: "workspace", objectId: workspaceId };
    await recordAudit(tx, { ...entry, workspaceId, actor, details });
    return after;
  });
}

function differences(before: WorkspaceSettings, after: WorkspaceSettings, names: (keyof Changes)[]): JsonObject {
  const changed = names.filter((name) => before[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
}
