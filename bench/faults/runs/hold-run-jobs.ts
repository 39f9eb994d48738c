import pg from "pg";
import { RUN_JOBS } from "#bench/faults/run-leftovers";
import { until } from "#bench/stage/until";
import { db } from "#lib/platform/db/pool";

/** Where a run is between two writes. */
export type Point = "admitting" | "admitted" | "ended";

/** Everything that is at a point stays there until it is released. */
export interface HeldPoint {
  /** A live worker that is at the point. */
  worker: { poolId: string; pid: number };
  /** The runs that are admitted to it, and that it has not opened. */
  unopened: string[];
  /** The number of jobs that it has of runs that ended. */
  ended: number;
  release(): Promise<void>;
}

/** The lock of all workers in admit_runs. */
const ADMISSION_LOCK = 7_301_849;
/** The number of runs that wait in the queue before they are admitted at once. */
const WAITING = 15;
/** The number of runs in flight, at most, before more are admitted. */
const HELD = 10;

/** Holds workers at a point through a lock that their next statement needs. */
export async function holdAt(point: Point): Promise<HeldPoint> {
  const clients = [await connect(), await connect()] as const;
  const release = async () => {
    await forgetOpening().catch(() => {});
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  };
  try {
    const worker = await HOLDS[point](...clients);
    const unopened = await readUnopened(worker.poolId);
    return { worker, unopened, ended: await countEnded(worker.poolId), release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  // A crash of PostgreSQL ends it.
  client.on("error", () => {});
  await client.connect();
  return client;
}

type Hold = (admissions: pg.Client, others: pg.Client) => Promise<HeldPoint["worker"]>;

const HOLDS: Record<Point, Hold> = { admitting: holdAdmitting, admitted: holdAdmitted, ended: holdEnded };

/** The worker's own statement continues when the lock is free, even if the worker is dead. */
async function holdAdmitting(admissions: pg.Client): Promise<HeldPoint["worker"]> {
  await admissions.query("select pg_advisory_lock($1)", [ADMISSION_LOCK]);
  await untilRunsWait();
  // admit_runs has the lock of its worker while it waits for this one.
  return findWorker(`exists (select 1 from pg_locks l where l.locktype = 'advisory' and l.mode = 'ShareLock' and l.granted
    and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(h.pool_id, 4))`);
}

async function holdAdmitted(admissions: pg.Client, others: pg.Client): Promise<HeldPoint["worker"]> {
  await admissions.query("select pg_advisory_lock($1)", [ADMISSION_LOCK]);
  await untilRunsWait();
  await others.query("begin; lock table runs in access exclusive mode");
  await admissions.query("select pg_advisory_unlock($1)", [ADMISSION_LOCK]);
  return findWorker(`exists (select 1 from run_queue q where q.taken_by = h.pool_id and ${IS_UNOPENED})`);
}

async function holdEnded(_: pg.Client, others: pg.Client): Promise<HeldPoint["worker"]> {
  await others.query("begin; lock table graphile_worker._private_jobs in share mode");
  return findWorker(`exists (select 1 from ${ENDED_JOBS} and j.locked_by = h.pool_id)`);
}

/** Otherwise PostgreSQL would open the runs of a dead worker as soon as the table is free. Workers that live repeat it. */
async function forgetOpening(): Promise<void> {
  await db().query(`select pg_terminate_backend(pid) from pg_stat_activity
    where wait_event_type = 'Lock' and query like '%into opened_runs%' and pid <> pg_backend_pid()`);
}

const IS_UNOPENED = `q.ticket is not null
  and not exists (select 1 from opened_runs o where o.pool_id = q.taken_by and q.run_id = any(o.run_ids))`;
const ENDED_JOBS = `${RUN_JOBS} where not exists (select 1 from run_queue q where q.run_id = (j.payload ->> 'run_id')::uuid)`;

/** Waits until there is room for a part of the runs that wait. */
async function untilRunsWait(): Promise<void> {
  await until("runs to wait in the queue, and others to end", async () => {
    const { rows } = await db().query<{ waiting: number; held: number }>({
      text: `select count(*) filter (where ticket is null and not is_later)::int as waiting, count(ticket)::int as held
             from run_queue`,
    });
    return rows[0] !== undefined && rows[0].waiting >= WAITING && rows[0].held <= HELD;
  });
}

function findWorker(isAtPoint: string): Promise<HeldPoint["worker"]> {
  return until("a worker at this point", async () => {
    const { rows } = await db().query<HeldPoint["worker"]>({
      text: `select h.pool_id as "poolId", h.pid from worker_heartbeats h
             where h.dead_at is null and not h.quarantine and ${isAtPoint} order by h.started_at limit 1`,
    });
    return rows[0] ?? false;
  });
}

async function readUnopened(poolId: string): Promise<string[]> {
  const { rows } = await db().query<{ run_id: string }>({
    text: `select q.run_id from run_queue q where q.taken_by = $1 and ${IS_UNOPENED}`,
    values: [poolId],
  });
  return rows.map((row) => row.run_id);
}

async function countEnded(poolId: string): Promise<number> {
  const { rows } = await db().query({ text: `select 1 from ${ENDED_JOBS} and j.locked_by = $1`, values: [poolId] });
  return rows.length;
}
