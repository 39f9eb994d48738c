import { RETENTION_LOCK } from "#lib/domain/runs/retain/delete-old-runs";
import { log } from "#lib/platform/config/log";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";

/** Nobody makes a run with an id of that long ago, whatever the clocks of several machines say. */
const MARGIN_DAYS = 7;

/**
 * Drops the weeks of journal and checkpoints from which no run is left: what they may still hold belonged to workspaces
 * that were deleted. A drop locks the whole journal for a moment; one that would have to wait is left for the next time.
 * @returns the names of what was dropped
 */
export async function dropOldPartitions(): Promise<string[]> {
  const { rows } = await db().query<{ name: string }>({
    text: `with parts as (
        select c.relname as name, regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM \\('([^']+)'\\) TO \\('([^']+)'\\)$$) as bounds
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent in ('execution_events'::regclass, 'run_checkpoints'::regclass)
      )
      select name from parts
      where bounds[2]::uuid <= uuid_floor(now() - make_interval(days => $1))
        and not exists (select 1 from runs where id >= bounds[1]::uuid and id < bounds[2]::uuid)
      order by name`,
    values: [MARGIN_DAYS],
  });
  const dropped: string[] = [];
  for (const { name } of rows) if (await drop(name)) dropped.push(name);
  return dropped;
}

async function drop(name: string): Promise<boolean> {
  try {
    return await transaction(async (tx) => {
      const lock = await tx.query<{ is_ours: boolean }>({
        text: "select pg_try_advisory_xact_lock($1) as is_ours",
        values: [RETENTION_LOCK],
      });
      if (!lock.rows[0]?.is_ours) return false;
      await tx.query({ text: "set local lock_timeout = '200ms'" });
      await tx.query({ text: `drop table if exists "${name}"` });
      return true;
    });
  } catch (error) {
    if (!isDatabaseFault(error, "lock_not_available")) throw error;
    log.debug({ partition: name }, "an old partition is in use; it is dropped later");
    return false;
  }
}
