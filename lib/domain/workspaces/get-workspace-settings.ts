import { ApiError } from "#lib/contract/api-error";
import { PLANS } from "#lib/contract/plans";
import type { WorkspaceSettings } from "#lib/contract/workspace";
import { env } from "#lib/platform/config/env";
import { boolean, enumOf, integer, nullable, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const selectSettings = defineStatement({
  name: "get_workspace_settings",
  params: { workspaceId: uuid },
  row: {
    workspace_id: uuid,
    slug: text,
    name: text,
    plan: enumOf(PLANS),
    time_zone: text,
    forbid_self_approval: boolean,
    run_retention_days: nullable(integer),
    created_at: timestamptz,
  },
  sql: `select id as workspace_id, slug, name, plan, time_zone, forbid_self_approval, run_retention_days, created_at
        from workspaces where id = $1`,
  isPrepared: false,
});

/** What its people can see and its admins can change. @throws ApiError NOT_FOUND */
export async function getWorkspaceSettings(tx: Db, workspaceId: string): Promise<WorkspaceSettings> {
  const row = await selectSettings.first(tx, { workspaceId });
  if (!row) throw new ApiError("NOT_FOUND", "There is no such workspace.");
  return {
    ...row,
    default_retention_days: env().RUN_RETENTION_DAYS,
    created_at: row.created_at.toISOString(),
  };
}
