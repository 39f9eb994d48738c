import type { ActionDetailObject } from "#lib/contract/action/action";
import { actionNotFound } from "#lib/domain/actions/get-runnable-action";
import { ACTION_ROW, presentActionDetail, type ReleaseRow, SELECT_ACTIONS } from "#lib/domain/actions/present-action";
import { bigint, json, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";

/** How many releases are shown, newest first. */
const RELEASES_SHOWN = 10;

const selectAction = defineStatement({
  name: "get_action",
  params: { workspaceId: uuid, slug: text, releases: bigint },
  row: { ...ACTION_ROW, releases: json<ReleaseRow[]>() },
  sql: `select action.*, (
          select json_agg(x) from (
            select version, deployed_at, breaking from action_releases where action_id = action.id
            order by version desc limit $3) x) as releases
        from (${SELECT_ACTIONS} where a.workspace_id = $1 and a.slug = $2) action`,
});

/**
 * Returns one published action, whatever its status, with examples and releases.
 * @throws ApiError ACTION_NOT_FOUND for an unknown action, one without a current release, and one of another workspace
 * alike
 */
export async function getAction(workspaceId: string, slug: string, tx: Db = db()): Promise<ActionDetailObject> {
  const action = await selectAction.first(tx, { workspaceId, slug, releases: RELEASES_SHOWN });
  if (!action) throw actionNotFound(slug);
  return presentActionDetail(action, action.releases);
}
