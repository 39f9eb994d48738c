import { setTimeout as sleep } from "node:timers/promises";
import { LIMITS } from "#lib/contract/limits";
import { RETENTION_LOCK } from "#lib/domain/runs/retain/delete-old-runs";
import { log } from "#lib/platform/config/log";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { integer, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { dropTable } from "#lib/platform/db/drop-table";
import { db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";
import { tryToShareAdvisoryLock } from "#lib/platform/db/try-advisory-lock";

/** No process creates a run with an id this old, whatever the clocks of several machines say. */
const MARGIN_DAYS = 7;
/** Each attempt waits only for a moment, so that a busy table needs several. */
const ATTEMPTS = 5;
const PAUSE_MS = 50;

const selectOldPartitions = defineStatement({
  name: "list_old_partitions",
  params: { marginDays: integer, deliveryDays: integer, auditDays: integer },
  row: { table: text, name: text },
  sql: `with parts as (
      select i.inhparent, c.relname::text as name,
        regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM \\((?:MINVALUE|'([^']+)')\\) TO \\('([^']+)'\\)$$) as bounds
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent in ('execution_events'::regclass, 'run_checkpoints'::regclass, 'trigger_deliveries'::regclass,
        'event_deliveries'::regclass, 'audit_events'::regclass)
    ), weeks_without_runs as materialized (
      -- Once per week, not per partition: right after a week's runs were deleted, the index still has a million of them.
      select bounds from (
        select distinct bounds from parts
        where inhparent in ('execution_events'::regclass, 'run_checkpoints'::regclass)
          and bounds[2]::uuid <= uuid_floor(now() - make_interval(days => $1))
      ) w
      where not exists (select 1 from runs where id >= bounds[1]::uuid and id < bounds[2]::uuid)
    )
    select inhparent::regclass::text as table, name from parts
    where case inhparent
        when 'audit_events'::regclass then $3 > 0 and bounds[2]::uuid <= uuid_floor(now() - make_interval(days => $3))
        when 'trigger_deliveries'::regclass then bounds[2]::uuid <= uuid_floor(now() - make_interval(days => $2))
        when 'event_deliveries'::regclass then bounds[2]::uuid <= uuid_floor(now() - make_interval(days => $2))
        else bounds in (select bounds from weeks_without_runs)
      end
    order by name`,
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
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      return await transaction(async (tx) => {
        if (!(await tryToShareAdvisoryLock(tx, RETENTION_LOCK))) return false;
        await dropTable(tx, name);
        return true;
      });
    } catch (error) {
      if (!isDatabaseFault(error, "lock_not_available")) throw error;
      await sleep(PAUSE_MS);
    }
  }
  log.debug({ partition: name }, "an old partition is in use and will be dropped later");
  return false;
}
