import { LIMITS } from "#lib/contract/limits";
import { RETENTION_LOCK } from "#lib/domain/runs/retain/delete-old-runs";
import { log } from "#lib/platform/config/log";
import { integer, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { dropTable } from "#lib/platform/db/drop-table";
import { retryLock } from "#lib/platform/db/limit-lock-wait";
import { DELIVERY_TABLES, STEP_TABLES } from "#lib/platform/db/partitioned-tables";
import { db, transaction } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";
import { tryToShareAdvisoryLock } from "#lib/platform/db/try-advisory-lock";

/** No process creates a run with an id this old, whatever the clocks of several machines say. */
const MARGIN_DAYS = 7;

const selectOldPartitions = defineStatement({
  name: "list_old_partitions",
  params: { marginDays: integer, deliveryDays: integer, auditDays: integer },
  row: { table: text, name: text },
  sql: `with weeks_without_runs as materialized (
      -- Once per week, not per partition: right after a week's runs were deleted, the index still has a million of them.
      select starts, ends from (
        select distinct starts, ends from partition_ranges()
        where parent in ${sqlSet(STEP_TABLES)} and ends <= uuid_floor(now() - make_interval(days => $1))
      ) w
      where not exists (select 1 from runs where id >= starts and id < ends)
    )
    select parent as table, part as name from partition_ranges()
    where case
        when parent in ${sqlSet(STEP_TABLES)} then (starts, ends) in (select starts, ends from weeks_without_runs)
        when parent in ${sqlSet(DELIVERY_TABLES)} then ends <= uuid_floor(now() - make_interval(days => $2))
        when parent = 'audit_events' then $3 > 0 and ends <= uuid_floor(now() - make_interval(days => $3))
      end
    order by part`,
  isPrepared: false,
});

/**
 * Drops the weeks of journal and checkpoints that no run belongs to anymore, the weeks of deliveries that the delivery
 * logs no longer keep, and the months of audit events that are older than `auditDays`.
 * A drop locks the whole table for a moment; one that would have to wait is left for the next time. PostgreSQL removes
 * the files after that, without a lock but before it answers: the tables are served at once, each by its own connection.
 * @param auditDays 0 keeps audit events forever
 * @returns the names of the dropped partitions
 */
export async function dropOldPartitions(auditDays: number): Promise<string[]> {
  const days = { marginDays: MARGIN_DAYS, deliveryDays: LIMITS.deliveryLogDays, auditDays };
  const rows = await selectOldPartitions.all(db(), days);
  const byTable = Map.groupBy(rows, ({ table }) => table);
  const dropped = await Promise.all([...byTable.values()].map((parts) => dropInTurn(parts.map(({ name }) => name))));
  return dropped.flat();
}

async function dropInTurn(names: readonly string[]): Promise<string[]> {
  const dropped: string[] = [];
  for (const name of names) if (await drop(name)) dropped.push(name);
  return dropped;
}

async function drop(name: string): Promise<boolean> {
  const dropped = await retryLock(() =>
    transaction(async (tx) => {
      if (!(await tryToShareAdvisoryLock(tx, RETENTION_LOCK))) return false;
      await dropTable(tx, name);
      return true;
    }),
  );
  if (dropped === null) log.debug({ partition: name }, "an old partition is in use and will be dropped later");
  return dropped ?? false;
}
