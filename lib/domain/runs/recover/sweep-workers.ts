import { announceLosses, type DeclaredDead } from "#lib/domain/runs/recover/announce-losses";
import { takeFromDead } from "#lib/domain/runs/recover/declare-dead";
import { boolean, float8, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db, transaction } from "#lib/platform/db/pool";
import { tryAdvisoryLock } from "#lib/platform/db/try-advisory-lock";
import { IS_DUE_SUSPECT } from "#lib/platform/jobs/payloads";

/** A worker without a heartbeat for this long is dead (decisions, Runs: worker loss). */
const SILENCE_SECONDS = 5;
/** An arbitrary lock id that keeps two sweepers from the same work. */
const LOCK = 7_301_847;

export interface Sweep {
  dead: DeclaredDead | null;
  /** True if a run that seems to end its worker is due and no quarantine worker lives, or if several such runs are due. */
  needsQuarantine: boolean;
}

const isSilent = (seconds: string) => `exists (select 1 from worker_heartbeats
        where dead_at is null and last_seen_at < now() - make_interval(secs => ${seconds}))`;
const needsQuarantine = (
  seconds: string,
) => `(select count(*) from run_queue where ticket is null and ${IS_DUE_SUSPECT})
        > (select case when exists (select 1 from worker_heartbeats where quarantine and dead_at is null
            and last_seen_at > now() - make_interval(secs => ${seconds})) then 1 else 0 end)`;

/** SQL condition: there is something to sweep. */
export const IS_SWEEP_DUE = `${isSilent(String(SILENCE_SECONDS))} or ${needsQuarantine(String(SILENCE_SECONDS))}`;

const lookForSilent = defineStatement({
  name: "look_for_silent_workers",
  params: { silenceSeconds: float8 },
  row: { silent: boolean, needs_quarantine: boolean },
  sql: `select ${isSilent("$1")} as silent, ${needsQuarantine("$1")} as needs_quarantine`,
});

const selectSilent = defineStatement({
  name: "list_silent_workers",
  params: { silenceSeconds: float8 },
  row: { pool_id: text },
  sql: `select pool_id from worker_heartbeats
        where dead_at is null and last_seen_at < now() - make_interval(secs => $1)`,
  isPrepared: false,
});

/**
 * Finds workers that went silent and takes their runs from them. The check is one cheap query; only a find is worth a
 * transaction.
 * @param canJudge whether the caller's own heartbeats succeeded all the time: after an outage of PostgreSQL every
 * heartbeat is old, although no worker is dead
 */
export async function sweepWorkers(canJudge: boolean): Promise<Sweep> {
  const { silent, needs_quarantine: isQuarantineNeeded } = await lookForSilent.one(db(), {
    silenceSeconds: SILENCE_SECONDS,
  });
  return { dead: canJudge && silent ? await declareSilentDead() : null, needsQuarantine: isQuarantineNeeded };
}

async function declareSilentDead(): Promise<DeclaredDead | null> {
  const dead = await transaction(async (tx) => {
    if (!(await tryAdvisoryLock(tx, LOCK))) return null;
    const rows = await selectSilent.all(tx, { silenceSeconds: SILENCE_SECONDS });
    const poolIds = rows.map((row) => row.pool_id);
    return poolIds.length === 0 ? null : takeFromDead(tx, poolIds);
  });
  if (dead) await announceLosses(dead);
  return dead;
}
