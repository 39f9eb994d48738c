import { Logger, type Runner, run, runMigrations } from "graphile-worker";
import type pg from "pg";

const SCHEMA = "bench_jobs";
const TASK = "noop";
/** A line of log for each job would be most of what is measured. */
const SILENT = new Logger(() => () => {});

/**
 * graphile-worker and nothing else, beside the product's own, with jobs that do nothing.
 * @param isTuned with jobs fetched ahead and completed together, as the product has it
 */
export async function measureJobs(
  db: pg.Pool,
  connectionString: string,
  { jobs, isTuned }: { jobs: number; isTuned: boolean },
): Promise<number> {
  await addJobs(db, connectionString, jobs);
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
}

async function addJobs(db: pg.Pool, connectionString: string, count: number): Promise<void> {
  await migrate(connectionString);
  await db.query(`select count(${SCHEMA}.add_job($1, json_build_object('n', n))) from generate_series(1, $2) n`, [
    TASK,
    count,
  ]);
}

function migrate(connectionString: string): Promise<void> {
  return runMigrations({ connectionString, schema: SCHEMA, logger: SILENT });
}

function startRunner(connectionString: string, isTuned: boolean, task: () => Promise<void>): Promise<Runner> {
  return run({
    connectionString,
    schema: SCHEMA,
    logger: SILENT,
    concurrency: 10,
    noHandleSignals: true,
    parsedCronItems: [],
    taskList: { [TASK]: task },
    preset: isTuned ? { worker: { completeJobBatchDelay: 20, localQueue: { size: 10, ttl: 200 } } } : {},
  });
}

/** An idle graphile-worker of its own. */
export interface IdleJobs {
  /** Milliseconds from before add_job is sent to the start of the task. */
  measureOne(): Promise<number>;
  stop(): Promise<void>;
}

export async function startIdleJobs(db: pg.Pool, connectionString: string): Promise<IdleJobs> {
  await migrate(connectionString);
  let begin = (_atMs: number) => {};
  const runner = await startRunner(connectionString, false, async () => begin(performance.now()));
  return {
    measureOne: async () => {
      const begun = new Promise<number>((resolve) => {
        begin = resolve;
      });
      const sentMs = performance.now();
      await db.query({ name: "bench_add_job", text: `select ${SCHEMA}.add_job($1)`, values: [TASK] });
      return (await begun) - sentMs;
    },
    stop: () => runner.stop(),
  };
}
