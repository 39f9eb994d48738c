import { type DeclaredDead, takeFromDead } from "#lib/domain/runs/recover/declare-dead";
import { db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";

/** decisions, Runs: a worker whose heartbeat stands still for this long is gone. */
const SILENCE_SECONDS = 5;
/** Any constant will do: it keeps two sweepers from the same work. */
const LOCK = 7_301_847;

export interface Sweep {
  dead: DeclaredDead | null;
  /** True when a run that seems to end its worker waits and no quarantine worker lives, or when several wait. */
  needsQuarantine: boolean;
}

/**
 * Looks for workers that went silent and takes their runs from them. The look is one cheap query; only a find is worth a
 * transaction.
 * @param canJudge whether the caller's own heartbeats went through all the time: after an outage of Postgres everybody's
 *   is old, and nobody is dead
 */
export async function sweepWorkers(canJudge: boolean): Promise<Sweep> {
  const { rows } = await db().query<{ silent: boolean; needs_quarantine: boolean }>({
    name: "look_for_silent_workers",
    text: `select
        exists (select 1 from worker_heartbeats
          where dead_at is null and last_seen_at < now() - make_interval(secs => $1)) as silent,
        (select count(*) from runs where stalled >= 2 and status in ('accepted', 'running') and lease_owner is null)
          > (select case when exists (select 1 from worker_heartbeats where quarantine and dead_at is null
              and last_seen_at > now() - make_interval(secs => $1)) then 1 else 0 end) as needs_quarantine`,
    values: [SILENCE_SECONDS],
  });
  const found = rows[0];
  return {
    dead: canJudge && found?.silent ? await declareSilentDead() : null,
    needsQuarantine: found?.needs_quarantine ?? false,
  };
}

async function declareSilentDead(): Promise<DeclaredDead | null> {
  return transaction(async (tx) => {
    const lock = await tx.query<{ is_ours: boolean }>({
      text: "select pg_try_advisory_xact_lock($1) as is_ours",
      values: [LOCK],
    });
    if (!lock.rows[0]?.is_ours) return null;
    const { rows } = await tx.query<{ pool_id: string }>({
      text: `select pool_id from worker_heartbeats
             where dead_at is null and last_seen_at < now() - make_interval(secs => $1)`,
      values: [SILENCE_SECONDS],
    });
    const poolIds = rows.map((row) => row.pool_id);
    return poolIds.length === 0 ? null : takeFromDead(tx, poolIds);
  });
}
