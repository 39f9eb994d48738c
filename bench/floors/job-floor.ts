import { Logger, type Runner, run, runMigrations } from "graphile-worker";
import pg from "pg";

const DATABASE = "bench_jobs";
const TASK = "noop";
/** Logs nothing, because logging a line per job would take most of the measured time. */
const SILENT = new Logger(() => () => {});

/** Runs graphile-worker alone on the product's PostgreSQL. */
export interface JobFloor {
  /**
   * Returns the number of empty jobs finished per second.
   * @param isTuned fetches jobs ahead and completes them in batches
   */
  measureRate(jobs: number, isTuned: boolean): Promise<number>;
  /** Starts an idle worker and returns a function to stop it. */
  startIdle(): Promise<IdleJobs>;
  close(): Promise<void>;
}

export interface IdleJobs {
  /** Returns the ms from just before add_job is sent to the start of the task. */
  measureOne(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Opens the floor in a separate database, because a worker ends when a queue in its database is migrated, and because
 * it receives every notice in its database.
 */
export async function openJobFloor(databaseUrl: string): Promise<JobFloor> {
  const connectionString = await createDatabase(databaseUrl);
  await runMigrations({ connectionString, logger: SILENT });
  const db = new pg.Pool({ connectionString, max: 1 });
  return {
    measureRate: async (jobs, isTuned) => {
      const text = `select count(graphile_worker.add_job($1, json_build_object('n', n))) from generate_series(1, $2) n`;
      await db.query(text, [TASK, jobs]);
      let done = 0;
      const all = Promise.withResolvers<void>();
      const startedMs = performance.now();
      const runner = await startRunner(connectionString, isTuned, async () => {
        done += 1;
        if (done === jobs) all.resolve();
      });
      await all.promise;
      const seconds = (performance.now() - startedMs) / 1_000;
      await runner.stop();
      return jobs / seconds;
    },
    startIdle: async () => {
      let begin = (_atMs: number) => {};
      const runner = await startRunner(connectionString, false, async () => begin(performance.now()));
      return {
        measureOne: async () => {
          const begun = new Promise<number>((resolve) => {
            begin = resolve;
          });
          const sentMs = performance.now();
          await db.query({ name: "bench_add_job", text: "select graphile_worker.add_job($1)", values: [TASK] });
          return (await begun) - sentMs;
        },
        stop: () => runner.stop(),
      };
    },
    close: () => db.end(),
  };
}

/** Creates the database as the embedded server's superuser, which has the application's password. */
async function createDatabase(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  url.username = "postgres";
  url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`create database ${DATABASE}`).finally(() => client.end());
  url.pathname = `/${DATABASE}`;
  return url.href;
}

function startRunner(connectionString: string, isTuned: boolean, task: () => Promise<void>): Promise<Runner> {
  return run({
    connectionString,
    logger: SILENT,
    concurrency: 10,
    noHandleSignals: true,
    parsedCronItems: [],
    taskList: { [TASK]: task },
    preset: isTuned ? { worker: { completeJobBatchDelay: 20, localQueue: { size: 10, ttl: 200 } } } : {},
  });
}
