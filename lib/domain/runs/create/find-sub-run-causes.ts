import { LIMITS } from "#lib/contract/limits";
import type { RunError } from "#lib/contract/run/run";
import type { SubRunCause } from "#lib/core/engine/ports";
import { array, integer, jsonb, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const selectCauses = defineStatement({
  name: "find_sub_run_causes",
  params: { runIds: array(uuid), maxLevels: integer },
  row: { runId: uuid, path: array(text), error: jsonb<RunError>() },
  // The last sub-run that the failed step started is the one that it failed with. Each level is one look-up in an index.
  sql: `with recursive causes as (
          select r.id as root, r.id, r.error, 1 as level, array[coalesce(r.action_slug, r.id::text)] as path
            from runs r where r.id = any($1) and r.error is not null
          union all
          select c.root, d.id, d.error, c.level + 1, c.path || coalesce(d.action_slug, d.id::text)
            from causes c cross join lateral (
              select r.id, r.error, r.action_slug from runs r
                where r.parent_run_id = c.id and split_part(r.parent_step, ':', 1) = c.error ->> 'step_id'
                  and r.error is not null
                order by r.id desc limit 1) d
            where c.level < $2)
        select distinct on (root) root as "runId", path, error from causes order by root, level desc`,
  isPrepared: false,
});

/** Returns where each of some failed sub-runs failed first, by its id: the actions down to there, and the error. */
export async function findSubRunCauses(on: Db, runIds: string[]): Promise<Map<string, SubRunCause>> {
  if (runIds.length === 0) return new Map();
  const found = await selectCauses.all(on, { runIds, maxLevels: LIMITS.subWorkflowDepth + 1 });
  return new Map(found.map(({ runId, path, error }) => [runId, { path, error }]));
}
