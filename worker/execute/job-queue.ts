import { EventEmitter } from "node:events";
import { Logger, run, type TaskList, type WorkerEvents } from "graphile-worker";
import type pg from "pg";
import { log } from "#lib/platform/config/log";
import { notifyOfJobs } from "#lib/platform/jobs/announce-jobs";

/** A pool that takes jobs. */
export interface JobQueue {
  /** graphile-worker's name for it; the owner of its locks. */
  poolId: string;
  /** Takes no more jobs and resolves when those in hand are done. */
  stop(): Promise<void>;
  /** Settles when the pool takes no more jobs: asked to, or because it could not tell the database what became of one. */
  ended: Promise<void>;
}

interface JobQueueOptions {
  pool: pg.Pool;
  concurrency: number;
  /** Whether jobs may be fetched ahead; not where one at a time must be held. */
  isFetchingAhead: boolean;
  /** Called before the first job can be taken. */
  tasks(poolId: string): TaskList;
}

/**
 * Jobs are fetched as many at a time as there are slots, and finished ones deleted together. Fetching one by one is most
 * of what a short run costs: with ten slots and runs of five pure steps the worker and Postgres spend 0.9 + 1.2 ms CPU
 * on a run, fetching ahead 0.4 + 0.5 ms.
 *
 * The price is that up to that many jobs are locked while nobody executes them. It is bounded: where slots stay busy
 * they go back after LOCAL_TTL_MS, with a word to the other workers, and for a while no more are fetched than slots are
 * free; when the process dies they are freed with everything else it held (declareDead). A finished job whose deletion a crash prevents belongs to a run that has ended,
 * and the next worker drops it.
 */
const LOCAL_TTL_MS = 100;
const COMPLETE_BATCH_MS = 20;
const POLL_MS = 2_000;

/** Having had to give jobs back, a worker fetches no more than it has slots free, for so long. */
const CAUTION_MS = 5_000;

/** graphile-worker as a library. Its own "completed" lines are ours at debug level. */
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
  // The runner's own promise comes too late: until everything it tries has failed, and with a silent database never.
  const shutdown = Promise.withResolvers<void>();
  events.on("pool:gracefulShutdown", () => shutdown.resolve());
  const runner = await run({
    pgPool: pool,
    concurrency,
    taskList,
    events,
    parsedCronItems: [],
    noHandleSignals: true,
    pollInterval: POLL_MS,
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
 * Where jobs take long, one that is fetched without a free slot waits for nothing, and then often goes to another worker
 * that has none either. graphile-worker has no setting for this; it reads the size of a batch from its local queue before
 * each fetch.
 */
function fetchWithCaution(events: WorkerEvents, concurrency: number): void {
  let running = 0;
  let returnedAt = Number.NEGATIVE_INFINITY;
  events.on("job:start", () => {
    running += 1;
  });
  events.on("job:complete", () => {
    running -= 1;
  });
  events.on("localQueue:returnJobs", () => {
    returnedAt = performance.now();
  });
  events.on("localQueue:init", ({ localQueue }) => {
    const batchSize = () =>
      performance.now() - returnedAt < CAUTION_MS ? Math.max(1, concurrency - running) : concurrency;
    Object.defineProperty(localQueue, "getJobBatchSize", { get: batchSize });
  });
}

/** graphile-worker returns jobs without a notice; others would find them with their next poll. */
function offerToOthers(pool: pg.Pool, count: number): void {
  setTimeout(() => {
    notifyOfJobs(pool, count).catch((error: unknown) => log.debug({ err: error }, "returned jobs wait for a poll"));
  }, 20);
}

function levelOf(level: string): "debug" | "warn" | "error" {
  return level === "error" ? "error" : level === "warning" ? "warn" : "debug";
}
