import { ApiError } from "#lib/contract/error/api-error";
import type { Plan } from "#lib/contract/workspace/plans";
import type { WorkspaceSettings } from "#lib/contract/workspace/workspace";
import { env } from "#lib/platform/config/env";
import type { PrismaDb } from "#lib/platform/db/prisma";

/**
 * Returns what members can see and admins can change.
 * @throws ApiError NOT_FOUND
 */
export async function getWorkspaceSettings(prisma: PrismaDb, workspaceId: string): Promise<WorkspaceSettings> {
  const row = await prisma.workspace.findUnique({ where: { id: workspaceId } });
  if (!row) throw new ApiError("NOT_FOUND", "There is no such workspace.");
  return {
    workspace_id: row.id,
    slug: row.slug,
    name: row.name,
    plan: row.plan as Plan,
    time_zone: row.timeZone,
    forbid_self_approval: row.forbidSelfApproval,
    redact_outputs: row.redactOutputs,
    require_two_step: row.requireTwoStep,
    run_retention_days: row.runRetentionDays,
    default_retention_days: env().RUN_RETENTION_DAYS,
    created_at: row.createdAt.toISOString(),
  };
}
