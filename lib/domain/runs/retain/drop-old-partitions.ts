import { RETENTION_LOCK } from "#lib/domain/runs/retain/delete-old-runs";
import { log } from "#lib/platform/config/log";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { integer, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { dropTable } from "#lib/platform/db/drop-table";
import { db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";
import { tryAdvisoryLock } from "#lib/platform/db/try-advisory-lock";

/** No process creates a run with an id this old, whatever the clocks of several machines say. */
const MARGIN_DAYS = 7;

const selectOldPartitions = defineStatement({
  name: "list_old_partitions",
  params: { days: integer },
  row: { name: text },
  sql: `with parts as (
      select c.relname::text as name, regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM \\('([^']+)'\\) TO \\('([^']+)'\\)$$) as bounds
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent in ('execution_events'::regclass, 'run_checkpoints'::regclass)
    )
    select name from parts
    where bounds[2]::uuid <= uuid_floor(now() - make_interval(days => $1))
      and not exists (select 1 from runs where id >= bounds[1]::uuid and id < bounds[2]::uuid)
    order by name`,
  isPrepared: false,
});

/**
 * Drops the weeks of journal and checkpoints that no run belongs to anymore: rows left in them come from deleted
 * workspaces. A drop locks the whole journal for a moment; one that would have to wait is left for the next time.
 * @returns the names of the dropped partitions
 */
export async function dropOldPartitions(): Promise<string[]> {
  const rows = await selectOldPartitions.all(db(), { days: MARGIN_DAYS });
  const dropped: string[] = [];
  for (const { name } of rows) if (await drop(name)) dropped.push(name);
  return dropped;
}

async function drop(name: string): Promise<boolean> {
  try {
    return await transaction(async (tx) => {
      if (!(await tryAdvisoryLock(tx, RETENTION_LOCK))) return false;
      await dropTable(tx, name);
      return true;
    });
  } catch (error) {
    if (!isDatabaseFault(error, "lock_not_available")) throw error;
    log.debug({ partition: name }, "an old partition is in use and will be dropped later");
    return false;
  }
}
