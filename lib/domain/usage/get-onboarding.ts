import type { OnboardingObject } from "#lib/contract/web/run-usage";
import { db } from "#lib/platform/db/pool";

/** Runs that are looked through for one that a key asked for: a workspace with more of them has long begun. */
const LOOKED_THROUGH = 500;

/** How far a workspace is: an action that can be called, a key to call it with, and the first call. */
export async function getOnboarding(workspaceId: string): Promise<OnboardingObject> {
  const { rows } = await db().query<OnboardingObject>({
    name: "get_onboarding",
    text: `select
        (select a.slug from actions a
          where a.workspace_id = $1 and a.status = 'active' and a.current_release_id is not null
          order by a.created_at limit 1) as action_slug,
        exists (select 1 from api_keys k where k.workspace_id = $1 and k.is_active
          and (k.expires_at is null or k.expires_at > now())) as has_key,
        (select id from (
            select id, api_key_id from runs where workspace_id = $1 order by created_at desc, id desc limit $2) r
          where r.api_key_id is not null limit 1) as first_run_id`,
    values: [workspaceId, LOOKED_THROUGH],
  });
  return rows[0] ?? { action_slug: null, has_key: false, first_run_id: null };
}
