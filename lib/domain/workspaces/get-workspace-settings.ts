import { ApiError } from "#lib/contract/api-error";
import type { Plan } from "#lib/contract/plans";
import type { WorkspaceSettings } from "#lib/contract/workspace";
import { env } from "#lib/platform/config/env";
import type { Db } from "#lib/platform/db/pool";

interface WorkspaceRow {
  workspace_id: string;
  slug: string;
  name: string;
  plan: Plan;
  time_zone: string;
  forbid_self_approval: boolean;
  run_retention_days: number | null;
  created_at: Date;
}

/** What its people can see and its admins can change. @throws ApiError NOT_FOUND */
export async function getWorkspaceSettings(tx: Db, workspaceId: string): Promise<WorkspaceSettings> {
  const { rows } = await tx.query<WorkspaceRow>({
    text: `select id as workspace_id, slug, name, plan, time_zone, forbid_self_approval, run_retention_days, created_at
           from workspaces where id = $1`,
    values: [workspaceId],
  });
  const row = rows[0];
  if (!row) throw new ApiError("NOT_FOUND", "There is no such workspace.");
  return {
    ...row,
    default_retention_days: env().RUN_RETENTION_DAYS,
    created_at: row.created_at.toISOString(),
  };
}
