import { ApiError } from "#lib/contract/api-error";
import type { Plan } from "#lib/contract/plans";
import { db } from "#lib/platform/db/pool";

/** A workspace as the instance's administration addresses it. */
export interface WorkspaceRecord {
  workspaceId: string;
  slug: string;
  plan: Plan;
  /** The owner of longest standing; null when the last one left. */
  ownerId: string | null;
}

const SELECT = `select w.id as "workspaceId", w.slug, w.plan,
    (select m.user_id from workspace_members m where m.workspace_id = w.id and m.role = 'owner'
     order by m.created_at, m.user_id limit 1) as "ownerId"
  from workspaces w`;

/** @throws ApiError NOT_FOUND */
export async function getWorkspace(slug: string): Promise<WorkspaceRecord> {
  const { rows } = await db().query<WorkspaceRecord>({ text: `${SELECT} where w.slug = $1`, values: [slug] });
  if (!rows[0]) throw new ApiError("NOT_FOUND", `There is no workspace ${slug}.`);
  return rows[0];
}

const OWNED = { workflow: "workflows", key: "api_keys", run: "runs" } as const;

/**
 * The workspace a workflow, a key or a run belongs to. For the administration of the instance alone: it asks across
 * workspaces, which no caller of the service may.
 * @throws ApiError NOT_FOUND
 */
export async function getWorkspaceOf(kind: keyof typeof OWNED, id: string): Promise<WorkspaceRecord> {
  const { rows } = await db().query<WorkspaceRecord>({
    text: `${SELECT} where w.id = (select workspace_id from ${OWNED[kind]} where id = $1)`,
    values: [id],
  });
  if (!rows[0]) throw new ApiError("NOT_FOUND", `There is no ${kind} with this id.`);
  return rows[0];
}
