import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Benchmark } from "#bench/benchmark";
import { compareToFloor, compareToNumber, type Figure } from "#bench/figures";
import { deferIndexes } from "#bench/load/defer-indexes";
import { connectForSeeding } from "#bench/load/seed-runs";
import { INPUT, PURE } from "#bench/load/workflows";
import { median, percentile } from "#bench/measure/statistics";
import { type LeanStage, openLeanStage, startLeanWorker } from "#bench/stage/lean-stage";
import type { TestAction } from "#lib/domain/actions/action.fixture";
import { runAction } from "#lib/domain/runs/create/run-actions";
import { readRuns } from "#lib/domain/runs/read/list-runs";
import { deleteOldRuns, RETENTION_LOCK } from "#lib/domain/runs/retain/delete-old-runs";
import { dropOldPartitions } from "#lib/domain/runs/retain/drop-old-partitions";
import { DELIVERY_TABLES, STEP_TABLES } from "#lib/platform/db/partitioned-tables";
import { db as poolOfUseCases } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";
import { showStep } from "#scripts/progress";

const BATCH = 50_000;
const EVENTS_PER_RUN = 4;
const CALLERS = 4;
/**
 * The interval for a total of 100 calls per second. The calls leave CPU free, so a slow statement must have waited for
 * a lock or the disk.
 */
const CALL_EVERY_MS = 40;
const READINGS = 51;
/** The time for which the load runs before the drop, for comparison. */
const BEFORE_SECONDS = 5;

/** The statements whose waits are measured. Runs and pages make the same accesses to the partitioned tables. */
const PROBES = [
  "select count(*) from execution_events where run_id = $1",
  "select count(*) from run_checkpoints where run_id = $1",
  "select count(*) from trigger_deliveries where subscription_id = $1",
];

export const retention: Benchmark = {
  summary:
    "P21: dropping the oldest of --weeks weeks of --runs runs with journal, checkpoints and deliveries, while calls are made and executed",
  run: async ({ runs, weeks }) => {
    const stage = await openLeanStage();
    const worker = await startLeanWorker();
    try {
      const action = await stage.addAction("greet", PURE);
      const empty = await readHot(stage, action);
      const allowRetention = await preventRetention(stage);
      try {
        await seedWeeks(stage, action, { runs, weeks });
      } finally {
        await allowRetention();
      }
      const full = await readHot(stage, action);
      const dropped = await dropUnderLoad(stage, action, retentionDays(weeks));
      const after = await readHot(stage, action);
      return [...dropped, ...hotFigures(empty, full, "with all weeks"), ...hotFigures(empty, after, "after the drop")];
    } finally {
      await worker.stop();
      await stage.close();
    }
  },
};

/** The worker's first retention would drop the weeks before they have runs. @returns what allows it again */
async function preventRetention({ db }: LeanStage): Promise<() => Promise<void>> {
  const client = await db.connect();
  await client.query("select pg_advisory_lock($1)", [RETENTION_LOCK]);
  return async () => {
    await client.query("select pg_advisory_unlock($1)", [RETENTION_LOCK]);
    client.release();
  };
}

/** Returns a retention in days that has passed for the runs of the oldest week, and for no other run. */
function retentionDays(weeks: number): number {
  return 7 * (weeks + 1);
}

/** Returns SQL for the first moment of each week. One week is empty: the one after the oldest. */
function weekStarts(weeks: number): string[] {
  const weeksAgo = Array.from({ length: weeks }, (_, week) => weeks + 1 - week + (week === 0 ? 1 : 0));
  return weeksAgo.map((ago) => `date_trunc('week', now() - interval '${ago} weeks')`);
}

async function seedWeeks(
  { database, workspace }: LeanStage,
  action: TestAction,
  { runs, weeks }: { runs: number; weeks: number },
): Promise<void> {
  const db = await connectForSeeding(database.url());
  const starts = weekStarts(weeks);
  for (const week of [...starts, "now()"]) {
    await db.query(
      `select create_partition(parent, part, starts, ends, null)
         from missing_partitions(${week}, ${week} + interval '6 days')`,
    );
  }
  await db.query("set maintenance_work_mem = '512MB'");
  const makeIndexes = await deferIndexes(db, ["runs"]);
  for (const [index, week] of starts.entries()) {
    await showStep(`Writing ${runs.toLocaleString("en")} runs`, async () => {
      // Delivery logs are kept for fewer weeks than the rows of any other table.
      const withDeliveries = index === 0;
      for (let from = 0; from < runs; from += BATCH) {
        await writeBatch(db, { workspace, action, week, from, runs, withDeliveries });
      }
    });
  }
  await makeIndexes();
  await showStep("Vacuum", async () => {
    for (const table of ["runs", "execution_events", "run_checkpoints", "trigger_deliveries"]) {
      await db.query(`vacuum (analyze) ${table}`);
    }
  });
  await db.end();
}

interface WeekBatch {
  workspace: LeanStage["workspace"];
  action: TestAction;
  /** SQL for the week's first moment. */
  week: string;
  from: number;
  runs: number;
  withDeliveries: boolean;
}

async function writeBatch(db: pg.Client, batch: WeekBatch): Promise<void> {
  const { workspace, action, week, from, runs, withDeliveries } = batch;
  await db.query(
    `create temporary table seeded as
       select uuidv7(${week} + n::float8 / $1::int * interval '6 days 23 hours' - clock_timestamp()) as id,
         ${week} + n::float8 / $1::int * interval '6 days 23 hours' as at, n
       from generate_series($2::int, $3::int) n`.replace(/\$(\d)/g, (_, index) =>
      String([runs, from, Math.min(runs, from + BATCH) - 1][Number(index) - 1]),
    ),
  );
  const { workspaceId } = workspace;
  await db.query(
    `insert into runs (id, workspace_id, workflow_id, workflow_version_id, action_id, action_slug,
       action_release_version, source, status, input, output, correlation_id, created_at, started_at, completed_at)
     select id, $1, $2, $3, $4, $5, 1, 'webhook', 'succeeded', $6, '{"text":"Hello Ada, number 1"}', 'order-' || n, at, at,
       at + interval '40 ms' from seeded`,
    [workspaceId, action.workflowId, action.versionId, action.actionId, action.slug, INPUT],
  );
  await db.query(
    `insert into execution_events (run_id, workspace_id, node_id, kind, at, input_data, output_data)
     select id, $1, 'step_' || (e + 1) / 2, case e % 2 when 1 then 'step_started' else 'step_completed' end,
       at + e * interval '4 ms', case e % 2 when 1 then $2::jsonb end, case e % 2 when 0 then $2::jsonb end
     from seeded cross join generate_series(1, ${EVENTS_PER_RUN}) e`,
    [workspaceId, { ...INPUT, note: "x".repeat(200) }],
  );
  await db.query(
    "insert into run_checkpoints (run_id, node_id, sealed) select id, 'step_1', decode(repeat('ab', 200), 'hex') from seeded",
  );
  if (withDeliveries) {
    await db.query(
      `insert into trigger_deliveries (id, subscription_id, workspace_id, dedupe_key, verdict, run_id, request, received_at)
       select id, $1, $1, n::text, 'accepted', id, $2, at from seeded`,
      [workspaceId, { body: INPUT, headers: { "content-type": "application/json" } }],
    );
  }
  await db.query("drop table seeded");
}

/** Sends calls and probes until `stop` is called. `take` returns the latencies in ms since the last `take`. */
function startLoad(stage: LeanStage, action: TestAction) {
  let isOver = false;
  let [calls, probes]: [number[], number[]] = [[], []];
  const time = async (into: () => number[], work: () => Promise<unknown>) => {
    const startedMs = performance.now();
    await work();
    into().push(performance.now() - startedMs);
  };
  const callers = Array.from({ length: CALLERS }, async () => {
    for (let dueMs = performance.now(); !isOver; dueMs += CALL_EVERY_MS) {
      await sleep(Math.max(0, dueMs - performance.now()));
      await time(
        () => calls,
        () => call(stage, action),
      );
    }
  });
  const probing = (async () => {
    const client = await stage.db.connect();
    for (let index = 0; !isOver; index += 1) {
      await time(
        () => probes,
        () => client.query(PROBES[index % PROBES.length] ?? "", [uuidv7()]),
      );
      await sleep(1);
    }
    client.release();
  })();
  return {
    take: () => {
      const taken = { calls, probes };
      [calls, probes] = [[], []];
      return taken;
    },
    stop: async () => {
      isOver = true;
      await Promise.all([...callers, probing]);
    },
  };
}

function call({ workspace }: LeanStage, { slug }: TestAction) {
  return runAction({ ...workspace, slug, input: INPUT, dryRun: false, source: "action" });
}

/** Deletes like a worker's chores do, but without the pauses between batches. */
async function dropUnderLoad(stage: LeanStage, action: TestAction, days: number): Promise<Figure[]> {
  const load = startLoad(stage, action);
  await sleep(BEFORE_SECONDS * 1_000);
  const before = load.take();
  const deletingMs = performance.now();
  // Null means that the worker's own retention has its turn.
  while ((await deleteOldRuns(days)) !== 0);
  const deletedSeconds = (performance.now() - deletingMs) / 1_000;
  const during = load.take();
  const [bytesBefore, droppingMs] = [await databaseBytes(stage.db), performance.now()];
  const names = await dropOldPartitions(0);
  const dropSeconds = (performance.now() - droppingMs) / 1_000;
  const atDrop = load.take();
  const freedMib = (bytesBefore - (await databaseBytes(stage.db))) / 2 ** 20;
  await load.stop();
  const longest = (times: readonly number[]) => Math.max(0, ...times);
  return [
    compareToNumber("P21 seconds for the drop of journal, checkpoints, deliveries", dropSeconds, { atMost: 1 }),
    compareToNumber("P21 longest statement meanwhile, ms", longest(atDrop.probes), { atMost: 50 }),
    { figure: "  before the drop", measured: longest(before.probes) },
    {
      figure: "longest call meanwhile, ms; floor: before",
      measured: longest(atDrop.calls),
      floor: longest(before.calls),
    },
    { figure: "MiB freed by the drop", measured: freedMib },
    compareToNumber("partitions dropped", names.length, { atLeast: STEP_TABLES.length + DELIVERY_TABLES.length }),
    { figure: "seconds for the rows of runs, in batches before it", measured: deletedSeconds },
    { figure: "  longest statement meanwhile, ms", measured: longest(during.probes) },
    {
      figure: "  p99 of a call meanwhile, ms; floor: before",
      measured: percentile(during.calls, 0.99),
      floor: percentile(before.calls, 0.99),
    },
  ];
}

async function databaseBytes(db: pg.Pool): Promise<number> {
  const { rows } = await db.query<{ bytes: string }>("select pg_database_size(current_database()) as bytes");
  return Number(rows[0]?.bytes);
}

/** Returns the median times in ms of the statements that users wait for. */
async function readHot(stage: LeanStage, action: TestAction): Promise<Map<string, number>> {
  const { workspaceId } = stage.workspace;
  const filters = { workspaceId, actionSlugs: null };
  const { run } = await call(stage, action);
  const works: Record<string, () => Promise<unknown>> = {
    "create a run": () => call(stage, action),
    "the first page of runs": () =>
      readRuns(poolOfUseCases(), filters, { limit: 20, order: "desc", withSteps: false }, null),
    "one journal": () => stage.db.query("select * from journal_events($1) order by seq", [run.run_id]),
  };
  const times = new Map<string, number>();
  for (const [name, work] of Object.entries(works)) {
    const readings: number[] = [];
    for (let reading = 0; reading < READINGS; reading += 1) {
      const startedMs = performance.now();
      await work();
      readings.push(performance.now() - startedMs);
    }
    times.set(name, median(readings));
  }
  return times;
}

function hotFigures(empty: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>, when: string): Figure[] {
  return [...now].map(([name, measured]) =>
    compareToFloor(`ms: ${name}, ${when}; floor: empty`, { measured, floor: empty.get(name) ?? 0 }, { atMost: 2 }),
  );
}
