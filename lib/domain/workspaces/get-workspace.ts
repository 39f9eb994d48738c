import { ApiError } from "#lib/contract/error/api-error";
import { PLANS } from "#lib/contract/workspace/plans";
import { enumOf, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/** `ownerId` is the owner with the longest membership; null if the last one left. */
const RECORD = { workspaceId: uuid, slug: text, plan: enumOf(PLANS), ownerId: nullable(uuid) };

/** Identifies a workspace as the instance's administration does. */
export type WorkspaceRecord = RowOf<typeof RECORD>;

const SELECT = `select w.id as "workspaceId", w.slug, w.plan,
    (select m.user_id from workspace_members m where m.workspace_id = w.id and m.role = 'owner'
     order by m.created_at, m.user_id limit 1) as "ownerId"
  from workspaces w`;

const selectBySlug = defineStatement({
  name: "get_workspace",
  params: { slug: text },
  row: RECORD,
  sql: `${SELECT} where w.slug = $1`,
  isPrepared: false,
});

/** @throws ApiError NOT_FOUND */
export async function getWorkspace(slug: string): Promise<WorkspaceRecord> {
  const workspace = await selectBySlug.first(db(), { slug });
  if (!workspace) throw new ApiError("NOT_FOUND", `There is no workspace ${slug}.`);
  return workspace;
}

function defineSelectByOwned(table: string) {
  return defineStatement({
    name: `get_workspace_of_${table}`,
    params: { id: uuid },
    row: RECORD,
    sql: `${SELECT} where w.id = (select workspace_id from ${table} where id = $1)`,
    isPrepared: false,
  });
}

const selectByOwned = {
  workflow: defineSelectByOwned("workflows"),
  key: defineSelectByOwned("api_keys"),
  run: defineSelectByOwned("runs"),
};

/**
 * Returns the workspace that a workflow, a key or a run belongs to. For the administration of the instance only: it
 * searches all workspaces, which no caller of the service may do.
 * @throws ApiError NOT_FOUND
 */
export async function getWorkspaceOf(kind: keyof typeof selectByOwned, id: string): Promise<WorkspaceRecord> {
  const workspace = await selectByOwned[kind].first(db(), { id });
  if (!workspace) throw new ApiError("NOT_FOUND", `There is no ${kind} with this id.`);
  return workspace;
}
