import { EventEmitter } from "node:events";
import {
  Logger,
  type Runner,
  run,
  type Task,
  type TaskList,
  type WorkerEventMap,
  type WorkerEvents,
  type WorkerPool,
} from "graphile-worker";
import type pg from "pg";
import { LIMITS } from "#lib/contract/limits";
import { sanitize } from "#lib/core/redaction/sanitize";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { sessionOptions } from "#lib/platform/db/connection-options";
import { createPool } from "#lib/platform/db/pool";
import { storableText } from "#lib/support/json";
import { CRON_JOB, CRON_TASK_LIST, CRON_TASK_NAMES, cronItems } from "#worker/chores/cron-tasks";
import { openMails } from "#worker/chores/mail-people";

/** A pool of graphile-worker, for the work that is not a run. */
export interface JobQueue {
  /** The name graphile-worker gives it; the owner of its locks, and of this worker's runs and leases. */
  poolId: string;
  /** Takes no more jobs and resolves when the running ones are done. */
  stop(): Promise<void>;
  /** Settles when the pool takes no more jobs: asked to, or because it could not store the outcome of one. */
  ended: Promise<void>;
  /** Looks for jobs now: one is due. */
  wake(): void;
}

const POLL_MS = 2_000;
const QUERY_TIMEOUT_MS = 5_000;
/** Builds of connectors at the same time, one email of each kind, and two places for work that takes moments. */
const PLACES = LIMITS.documentThreads + 4;
/** After the start of a worker: its first runs come first. */
const FIRST_CRON_MS = 1_000;

/** Lines about single jobs are logged at debug level. */
export const JOB_LOGGER = new Logger(
  () => (level, message, meta) => log[meta?.failure ? "debug" : levelOf(level)](message),
);

/**
 * Runs graphile-worker as a library.
 * @param pollMs how often it looks for jobs that became due without a notice
 */
export async function startJobQueue(pool: pg.Pool, taskList: TaskList, pollMs = POLL_MS): Promise<JobQueue> {
  const events: WorkerEvents = new EventEmitter();
  // In a list, because a promise would wait for the end of the pool, which has a `then`.
  const pools: WorkerPool[] = [];
  events.on("pool:create", ({ workerPool }) => pools.push(workerPool));
  events.on("job:error", logFailure);
  // The runner's own promise settles too late: after every retry has failed, and never when the database does not answer.
  const shutdown = Promise.withResolvers<void>();
  events.on("pool:gracefulShutdown", () => shutdown.resolve());
  const listener = env().DATABASE_URL_DIRECT === undefined ? null : openListener();
  const mails = openMails();
  const runner = await run({
    pgPool: listener ? listeningOn(listener, pool) : pool,
    concurrency: PLACES,
    taskList: redactErrors({ ...CRON_TASK_LIST, ...mails.tasks, ...taskList }),
    events,
    parsedCronItems: cronItems(),
    noHandleSignals: true,
    pollInterval: pollMs,
    logger: JOB_LOGGER,
  });
  await addCronJobs(runner);
  let isStopping = false;
  return {
    poolId: pools[0]?.id ?? "",
    wake: () => {
      if (!isStopping) pools[0]?.nudge(PLACES);
    },
    stop: async () => {
      isStopping = true;
      await runner.stop().finally(() => listener?.end());
      mails.close();
    },
    ended: Promise.race([runner.promise, shutdown.promise]),
  };
}

/** Adds the jobs that cron adds later: an instance may have been off when they were due. */
async function addCronJobs({ addJob }: Runner): Promise<void> {
  const runAt = new Date(Date.now() + FIRST_CRON_MS);
  await Promise.all(
    CRON_TASK_NAMES.map((name) =>
      addJob(name, {}, { ...CRON_JOB, jobKey: name, jobKeyMode: "preserve_run_at", runAt }),
    ),
  );
}

/** Once per attempt. */
function logFailure({ job, error }: WorkerEventMap["job:error"]): void {
  const { id, task_identifier: task, attempts, max_attempts: attemptsMax } = job;
  const level = attempts < attemptsMax ? "warn" : "error";
  log[level]({ job: id, task, attempt: attempts, attempts_max: attemptsMax, err: error }, "a job failed");
}

/** What a job throws is stored, shown, and logged: text of a service may contain secrets, and NUL characters. */
function redactErrors(taskList: TaskList): TaskList {
  const redact = (given: string) => storableText(sanitize(given));
  const tasks = Object.entries(taskList).map(([name, task]): [string, Task] => [
    name,
    async (payload, helpers) => {
      try {
        return await task?.(payload, helpers);
      } catch (error) {
        const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
        throw Object.assign(new Error(redact(message)), { stack: redact(stack) });
      }
    },
  ]);
  return Object.fromEntries(tasks);
}

/** The connection that graphile-worker listens on, if a transaction pooler answers on the others. */
function openListener(): pg.Pool {
  return createPool({ ...sessionOptions(), max: 1, query_timeout: QUERY_TIMEOUT_MS });
}

/**
 * Gives graphile-worker one pool that is two: it asks for the connection to listen on with a callback, and for all others
 * with a promise.
 */
function listeningOn(listener: pg.Pool, pool: pg.Pool): pg.Pool {
  const connect = new Proxy(pool.connect, {
    apply: (_connect, _self, [callback]: Parameters<typeof pool.connect> | []) =>
      callback ? listener.connect(callback) : pool.connect(),
  });
  return Object.create(pool, { connect: { value: connect }, query: { value: pool.query.bind(pool) } });
}

function levelOf(level: string): "debug" | "warn" | "error" {
  return level === "error" ? "error" : level === "warning" ? "warn" : "debug";
}
