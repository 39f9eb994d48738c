import type { ActionDetailObject } from "#lib/contract/action";
import { actionNotFound } from "#lib/domain/actions/get-runnable-action";
import {
  type ActionRow,
  presentActionDetail,
  type ReleaseRow,
  SELECT_ACTIONS,
} from "#lib/domain/actions/present-action";
import { type Db, db } from "#lib/platform/db/pool";

/** decisions, Action object: the last ten. */
const RELEASES_SHOWN = 10;

/**
 * One published action, whatever its status, with examples and releases.
 * @throws ApiError ACTION_NOT_FOUND: unknown, without a current release, or another workspace's, all alike
 */
export async function getAction(workspaceId: string, slug: string, tx: Db = db()): Promise<ActionDetailObject> {
  const { rows } = await tx.query<ActionRow & { releases: ReleaseRow[] }>({
    name: "get_action",
    text: `select action.*, (
             select json_agg(x) from (
               select version, deployed_at, breaking from action_releases where action_id = action.id
               order by version desc limit $3) x) as releases
           from (${SELECT_ACTIONS} where a.workspace_id = $1 and a.slug = $2) action`,
    values: [workspaceId, slug, RELEASES_SHOWN],
  });
  if (!rows[0]) throw actionNotFound(slug);
  return presentActionDetail(rows[0], rows[0].releases);
}
