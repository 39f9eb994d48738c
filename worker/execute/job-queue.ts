import { EventEmitter } from "node:events";
import { Logger, run, type TaskList, type WorkerEvents } from "graphile-worker";
import type pg from "pg";
import { log } from "#lib/platform/config/log";
import { notifyOfJobs } from "#lib/platform/jobs/announce-jobs";

/** A pool that takes jobs. */
export interface JobQueue {
  /** The name graphile-worker gives it; the owner of its locks. */
  poolId: string;
  /** Takes no more jobs and resolves when the running ones are done. */
  stop(): Promise<void>;
  /** Settles when the pool takes no more jobs: asked to, or because it could not store the outcome of one. */
  ended: Promise<void>;
}

interface JobQueueOptions {
  pool: pg.Pool;
  concurrency: number;
  /** Whether jobs may be fetched ahead; false when only one may be held at a time. */
  isFetchingAhead: boolean;
  /** How often an idle worker looks for jobs that were announced to no one, such as those that became due. */
  pollMs?: number;
  /** Called before the first job can be taken. */
  tasks(poolId: string): TaskList;
}

/**
 * The worker fetches as many jobs at a time as it has slots and deletes finished ones in batches. Fetching one by one is
 * most of what a short run costs: with ten slots and runs of five pure steps the worker and PostgreSQL spend 0.9 + 1.2 ms
 * of CPU on a run, and 0.4 + 0.5 ms when fetching ahead.
 *
 * The price is that up to that many jobs are locked while no one executes them. It is bounded: when all slots stay busy,
 * jobs are returned after LOCAL_TTL_MS and announced to the other workers, and for a while the worker fetches no more
 * than it has free slots. When the process dies they are freed with everything else it held (declareDead). A crash can
 * prevent the deletion of a finished job; its run has ended, and the next worker drops the job.
 */
const LOCAL_TTL_MS = 100;
const COMPLETE_BATCH_MS = 20;
const POLL_MS = 2_000;

/** After returning jobs, a worker fetches no more than it has free slots for this long. */
const CAUTION_MS = 5_000;

/** Runs graphile-worker as a library. Its "completed" lines are logged at debug level. */
export async function startJobQueue(options: JobQueueOptions): Promise<JobQueue> {
  const { pool, concurrency, isFetchingAhead } = options;
  const events: WorkerEvents = new EventEmitter();
  const taskList: TaskList = {};
  let poolId = "";
  events.on("pool:create", ({ workerPool }) => {
    poolId = workerPool.id;
    Object.assign(taskList, options.tasks(poolId));
  });
  if (isFetchingAhead) fetchWithCaution(events, concurrency);
  events.on("localQueue:returnJobs", ({ jobs }) => offerToOthers(pool, jobs.length));
  // The runner's own promise settles too late: after every retry has failed, and never when the database does not answer.
  const shutdown = Promise.withResolvers<void>();
  events.on("pool:gracefulShutdown", () => shutdown.resolve());
  const runner = await run({
    pgPool: pool,
    concurrency,
    taskList,
    events,
    parsedCronItems: [],
    noHandleSignals: true,
    pollInterval: options.pollMs ?? POLL_MS,
    logger: new Logger(() => (level, message) => log[levelOf(level)](message)),
    preset: {
      worker: {
        completeJobBatchDelay: COMPLETE_BATCH_MS,
        ...(isFetchingAhead ? { localQueue: { size: concurrency, ttl: LOCAL_TTL_MS } } : {}),
      },
    },
  });
  return { poolId, stop: () => runner.stop(), ended: Promise.race([runner.promise, shutdown.promise]) };
}

/**
 * A job that is fetched while every slot is busy with a long one waits for nothing, and often goes next to another worker
 * without a free slot. graphile-worker has no setting against this; its local queue reads the size of a batch before each
 * fetch and again when the jobs have arrived, to find out whether there may be more. Both reads must give the same size:
 * when slots became free in between, a full batch would look like the last one, and the queue would sleep until its poll.
 */
function fetchWithCaution(events: WorkerEvents, concurrency: number): void {
  let running = 0;
  let returnedAt = Number.NEGATIVE_INFINITY;
  let batchSize = concurrency;
  let hasArrived = false;
  events.on("job:start", () => {
    running += 1;
  });
  events.on("job:complete", () => {
    running -= 1;
  });
  events.on("localQueue:returnJobs", () => {
    returnedAt = performance.now();
  });
  events.on("localQueue:getJobs:complete", () => {
    hasArrived = true;
  });
  const readBatchSize = () => {
    const isCautious = performance.now() - returnedAt < CAUTION_MS;
    if (!hasArrived) batchSize = isCautious ? Math.max(1, concurrency - running) : concurrency;
    hasArrived = false;
    return batchSize;
  };
  events.on("localQueue:init", ({ localQueue }) => {
    Object.defineProperty(localQueue, "getJobBatchSize", { get: readBatchSize });
  });
}

/** graphile-worker returns jobs without a notice, so other workers would find them only with their next poll. */
function offerToOthers(pool: pg.Pool, count: number): void {
  setTimeout(() => {
    notifyOfJobs(pool, count).catch((error: unknown) => log.debug({ err: error }, "returned jobs wait for a poll"));
  }, 20);
}

function levelOf(level: string): "debug" | "warn" | "error" {
  return level === "error" ? "error" : level === "warning" ? "warn" : "debug";
}
