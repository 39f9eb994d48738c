import { randomUUID } from "node:crypto";
import { EMPTY_BATCH, type JournalBatch, type Lease } from "#lib/domain/journal/append-events";
import { claimRun, openRun } from "#lib/domain/runs/execute/lease.fixture";
import { db } from "#lib/platform/db/pool";

/** For tests: registers a worker in the database. */
export async function addWorker({
  silentSeconds = 0,
  isQuarantine = false,
  queues = null as string[] | null,
  slots = 0,
} = {}): Promise<string> {
  const poolId = `pool-${randomUUID()}`;
  await db().query(
    `insert into worker_heartbeats (pool_id, host, pid, quarantine, last_seen_at, queues, slots)
     values ($1, 'test', 1, $2, now() - make_interval(secs => $3), $4, $5)`,
    [poolId, isQuarantine, silentSeconds, queues, slots],
  );
  return poolId;
}

/** For tests: marks a queued run as taken by a worker. */
export async function takeQueued(runId: string, poolId: string): Promise<void> {
  const text =
    "update run_queue set taken_by = $2, taken_at = now(), ticket = nextval('run_queue_tickets') where run_id = $1";
  await db().query(text, [runId, poolId]);
}

/** For tests: claims a run with the first events of its journal. */
export async function claimed(runId: string, poolId: string, batch: JournalBatch = EMPTY_BATCH): Promise<Lease> {
  const run = await openRun(db(), runId, poolId);
  if (!run) throw new Error("the run is stale");
  await claimRun(db(), run.lease, { poolId, usedMs: 0, batch, isRepeat: false });
  return run.lease;
}

/** For tests: appends events to a claimed run. */
export async function append(lease: Lease, batch: JournalBatch): Promise<void> {
  await claimRun(db(), lease, { poolId: "any", usedMs: 0, batch, isRepeat: false });
}

/** For tests: builds a batch of completed steps. */
export function completed(...nodeIds: string[]): JournalBatch {
  const events = nodeIds.map((id) => ({ node_id: id, iteration: "", kind: "step_completed", attempt: 1, age_ms: 0 }));
  return { ...EMPTY_BATCH, events: JSON.stringify(events) };
}

/** For tests: reads a run together with its place in the queue. */
export async function readRun(runId: string) {
  const { rows } = await db().query(
    `select r.status, r.lease_owner, r.stalled, r.error, q.priority, q.taken_by,
       case when q.is_suspect then 'suspect' when q.run_id is not null then 'run' end as queued,
       (select count(*)::int from journal_events(r.id)) as events
     from runs r left join run_queue q on q.run_id = r.id where r.id = $1`,
    [runId],
  );
  return rows[0];
}

/** For tests: the result of a run that succeeds. */
export const SUCCEEDED = {
  outcome: { status: "succeeded", output: { shown: '{"ok":true}', sealed: null, servesSealed: false } },
  usedMs: 3,
} as const;

/** For tests: counts the statements that wait for a lock in this test's database. */
export async function countLockWaits(): Promise<number> {
  const { rows } = await db().query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length;
}

/**
 * For tests: counts the sessions that wait for an advisory lock in this test's database. pg_locks lists the locks of
 * all databases.
 */
export async function countAdvisoryWaits(): Promise<number> {
  const { rows } = await db().query(
    `select 1 from pg_locks where locktype = 'advisory' and not granted
     and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length;
}
