import { EventEmitter } from "node:events";
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from "graphile-worker";
import type pg from "pg";
import { log } from "#lib/config/log";

/** A pool that takes jobs. */
export interface JobQueue {
  poolId: string;
  /** Takes no more jobs and resolves when those in hand are done. */
  stop(): Promise<void>;
  /** Settles when the pool ended by itself. */
  ended: Promise<void>;
}

interface JobQueueOptions {
  pool: pg.Pool;
  concurrency: number;
  /** Called before the first job can be taken. */
  tasks(poolId: string): TaskList;
}

/**
 * How long the deletion of a finished job may wait for others. A crash within it leaves jobs of finished runs, which the
 * next worker finds ended and drops; it saves a commit per run.
 */
const COMPLETE_BATCH_MS = 20;
const POLL_MS = 2_000;

/**
 * graphile-worker as a library. Its local queue stays off: it would lock runs that nobody executes yet.
 * Its own "completed" lines are ours at debug level.
 */
export async function startJobQueue({ pool, concurrency, tasks }: JobQueueOptions): Promise<JobQueue> {
  const events: WorkerEvents = new EventEmitter();
  const taskList: TaskList = {};
  let poolId = "";
  events.on("pool:create", ({ workerPool }) => {
    poolId = workerPool.id;
    Object.assign(taskList, tasks(poolId));
  });
  const runner: Runner = await run({
    pgPool: pool,
    concurrency,
    taskList,
    events,
    parsedCronItems: [],
    noHandleSignals: true,
    pollInterval: POLL_MS,
    logger: new Logger(() => (level, message) => log[level === "info" ? "debug" : levelOf(level)](message)),
    preset: { worker: { completeJobBatchDelay: COMPLETE_BATCH_MS } },
  });
  return { poolId, stop: () => runner.stop(), ended: runner.promise };
}

function levelOf(level: string): "debug" | "warn" | "error" {
  return level === "error" ? "error" : level === "warning" ? "warn" : "debug";
}
