import { EventEmitter } from "node:events";
import { runTaskList, type WorkerEvents, type WorkerPool } from "graphile-worker";
import type pg from "pg";
import type { AdmittedRun } from "#lib/domain/runs/execute/admit-runs";
import { log } from "#lib/platform/config/log";
import { isTransientDatabaseError } from "#lib/platform/db/classify-database-error";
import { RUN_TASK } from "#lib/platform/jobs/payloads";
import { JOB_LOGGER } from "#worker/execute/job-queue";
import { persist } from "#worker/execute/persist";

/** The pool of Graphile Worker that executes the runs admitted to this worker. */
export interface RunPool {
  /** Executes the jobs of runs that were just admitted. */
  deliver(runs: readonly AdmittedRun[]): void;
  /** Fetches no more jobs, and resolves when the running ones are done. */
  stop(): Promise<void>;
  /** Settles when the pool executes no more jobs. */
  ended: Promise<unknown>;
}

interface RunPoolOptions {
  db: pg.Pool;
  /** How many runs it executes at once. */
  slots: number;
  /** Executes a run. Never rejects: what follows a failure is decided by the run. */
  execute(run: AdmittedRun): Promise<void>;
}

/** Nothing is found by looking: each delivery nudges. */
const POLL_MS = 60_000;
/** Jobs that end within this time are removed by one statement. */
const COMPLETE_MS = 100;

/**
 * Starts the pool. The jobs of runs are locked by the worker that admits them (`prisma/functions/add_run_jobs.sql`), so there
 * is nothing to fetch: when Graphile Worker fetches jobs, it gets those that were delivered.
 */
export function startRunPool({ db, slots, execute }: RunPoolOptions): RunPool {
  const delivered: AdmittedRun[] = [];
  const events: WorkerEvents = new EventEmitter();
  const shutdown = Promise.withResolvers<void>();
  events.on("pool:gracefulShutdown", () => shutdown.resolve());
  const workers: WorkerPool = runTaskList(
    {
      concurrency: slots,
      events,
      noHandleSignals: true,
      logger: JOB_LOGGER,
      preset: {
        worker: {
          pollInterval: POLL_MS,
          localQueue: { size: slots },
          completeJobBatchDelay: COMPLETE_MS,
          failJobBatchDelay: COMPLETE_MS,
        },
      },
    },
    { [RUN_TASK]: (run) => execute(run as AdmittedRun) },
    deliveryPool(db, () => delivered.splice(0)),
  );
  const ended = Promise.race([workers.promise, shutdown.promise]);
  // It also settles when the pool is stopped, and then no one waits for it.
  ended.catch(() => undefined);
  return {
    deliver: (runs) => {
      delivered.push(...runs);
      workers.nudge(runs.length);
    },
    stop: async () => {
      await workers.gracefulShutdown();
    },
    ended,
  };
}

/**
 * The connections that Graphile Worker sees. A statement that fetches jobs is answered with those that were delivered. One
 * that removes jobs is repeated until PostgreSQL is back: Graphile Worker ends its pool after one that fails, and the runs in
 * all other slots would have to continue elsewhere. If PostgreSQL refuses it for good, the jobs are left: no one fetches them,
 * and the reconciler removes them. The pool listens to nothing: its jobs are announced by this process.
 */
function deliveryPool(pool: pg.Pool, takeDelivered: () => AdmittedRun[]): pg.Pool {
  const send: (statement: pg.QueryConfig) => Promise<pg.QueryResult> = pool.query.bind(pool);
  const query = async (statement: pg.QueryConfig) => {
    if (!statement.text.includes("skip locked")) {
      return untilStored(() => send(statement)).catch((error: unknown) => leaveJobs(statement, error));
    }
    // The second value lists the ids of the tasks of this pool, which has one.
    const [taskId] = statement.values?.[1] ?? [];
    return { rows: takeDelivered().map((run) => jobOf(run, taskId)) };
  };
  const client = { query, release: () => undefined };
  const connect = (callback?: unknown) => (callback === undefined ? Promise.resolve(client) : undefined);
  return Object.create(pool, { connect: { value: connect } });
}

/** What Graphile Worker reads of a job that it has fetched. */
function jobOf(run: AdmittedRun, taskId: number) {
  return { id: run.jobId, task_id: taskId, job_queue_id: null, payload: run, attempts: 1, max_attempts: 1 };
}

function leaveJobs({ text }: pg.QueryConfig, error: unknown): Pick<pg.QueryResult, "rows"> {
  if (!/^\s*delete\b/.test(text)) throw error;
  log.error({ err: error }, "jobs of runs that left this worker could not be removed; the reconciler removes them");
  return { rows: [] };
}

async function untilStored<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await persist(work);
    } catch (error) {
      if (!isTransientDatabaseError(error)) throw error;
    }
  }
}
