import type { OnboardingObject } from "#lib/contract/run/run-usage";
import { isActiveKey } from "#lib/domain/workspaces/is-active-key";
import { bigint, boolean, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/**
 * How many runs are searched for one that a key requested: a workspace with more runs has finished its onboarding long
 * ago.
 */
const LOOKED_THROUGH = 500;

const selectOnboarding = defineStatement({
  name: "get_onboarding",
  params: { workspaceId: uuid, limit: bigint },
  row: { action_slug: nullable(text), has_key: boolean, first_run_id: nullable(uuid) },
  sql: `select
          (select a.slug from actions a
            where a.workspace_id = $1 and a.status = 'active' and a.current_release_id is not null
            order by a.created_at limit 1) as action_slug,
          exists (select 1 from api_keys k where k.workspace_id = $1 and ${isActiveKey("k")}) as has_key,
          (select id from (
              select id, api_key_id from runs where workspace_id = $1 order by created_at desc, id desc limit $2) r
            where r.api_key_id is not null limit 1) as first_run_id`,
});

/**
 * Returns the onboarding progress of a workspace: an action that can be called, a key to call it with, and the first
 * call.
 */
export async function getOnboarding(workspaceId: string): Promise<OnboardingObject> {
  return selectOnboarding.one(db(), { workspaceId, limit: LOOKED_THROUGH });
}
