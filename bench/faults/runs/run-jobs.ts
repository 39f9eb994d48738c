import { setTimeout as sleep } from "node:timers/promises";
import { countRepeats } from "#bench/faults/count-violations";
import { noteRow, type Row, zeroRow } from "#bench/faults/result-table";
import { RUN_JOBS, readLeftovers } from "#bench/faults/run-leftovers";
import { type HeldPoint, holdAt, type Point } from "#bench/faults/runs/hold-run-jobs";
import { judgeRuns, type ScenarioOptions, type Scene, untilLive, withScene } from "#bench/faults/scene";
import { isDeclaredDead } from "#bench/faults/wake-zombie";
import { acceptRuns, countOpenRuns, fiveSteps, waitForRuns } from "#bench/faults/workload";
import { killHard } from "#bench/stage/start-host";
import { until } from "#bench/stage/until";
import { db } from "#lib/platform/db/pool";
import { seededRandom } from "#lib/support/seeded-random.fixture";

interface RunJobsOptions extends ScenarioOptions {
  /** The number of workers that are killed at a point. */
  kills: number;
  /** The number of crashes of PostgreSQL at a point. */
  crashes: number;
}

/** The counts of the scenario, besides the violations of every scenario. */
interface Counts {
  /** Runs that had two jobs at once, while workers were killed. */
  twoJobs: number;
  /** Runs that count the loss of a worker which had not opened them. */
  blamed: number;
  /** Jobs that were removed before a crash, and were there after it. */
  restored: number;
}

interface Fight {
  scene: Scene;
  options: RunJobsOptions;
  random: () => number;
  /** Stops accepting runs, or continues. */
  pause(isPaused: boolean): void;
  counts: Counts;
}

const WORKERS = 3;
/** More than the workers have slots for, so that runs always wait to be admitted. */
const BACKLOG = 45;
const LATENCY_MS = 150;
/** Longer than any recovery of the product needs: the reconciler's 30 s and its jitter. */
const PATIENCE_MS = 120_000;
const KILL_POINTS: readonly Point[] = ["admitting", "admitted", "ended"];

/**
 * Kills workers and PostgreSQL at the points where a run is more than one row: while it is admitted, between its admission
 * and its start, and between its end and the removal of its job. A lock holds everything at the point until the blow.
 */
export function runJobs(options: RunJobsOptions): Promise<Row[]> {
  const random = seededRandom(options.seed).next;
  return withScene({ latencyMs: () => 1 + random() * LATENCY_MS }, async (scene) => {
    scene.addHost(WORKERS);
    const workload = await fiveSteps(scene.outside.url);
    await untilLive(WORKERS);
    await forgetMore();
    const accepted = new Map<string, number>();
    const over = new AbortController();
    let isPaused = false;
    const ended = () => (isPaused ? Number.NEGATIVE_INFINITY : scene.outside.answered("s5"));
    const stream = { count: Number.POSITIVE_INFINITY, backlogMax: BACKLOG, ended, over: over.signal };
    const accepting = acceptRuns(workload, stream, (id, n) => accepted.set(id, n));
    const counts: Counts = { twoJobs: 0, blamed: 0, restored: 0 };
    const pause: Fight["pause"] = (value) => {
      isPaused = value;
    };
    await strike({ scene, options, random, pause, counts });
    over.abort();
    await accepting;
    await waitForRuns(PATIENCE_MS);
    const { startedAgain, calledAgain, steps } = await countRepeats(workload, scene.outside.calls);
    return [
      zeroRow("jobs", "runs with two jobs at once", counts.twoJobs),
      zeroRow("jobs", "runs blamed for a worker that had not opened them", counts.blamed),
      ...(await judgeRuns(scene, { id: "jobs", workload, report: options.report }, accepted)),
      noteRow("jobs", "jobs that a crash restored", String(counts.restored)),
      noteRow("jobs", `of ${steps} steps, started again, called again`, `${startedAgain}, ${calledAgain}`),
      noteRow("jobs", "runs", String(accepted.size)),
    ];
  });
}

/** A crash may forget what was not written to the disk yet, and then forgets more of it. */
async function forgetMore(): Promise<void> {
  await db().query("alter system set wal_writer_delay = '10s'");
  await db().query("select pg_reload_conf()");
}

async function strike(fight: Fight): Promise<void> {
  const { options } = fight;
  const sampling = new AbortController();
  const sampled = countRunsWithTwoJobs(sampling.signal);
  for (let index = 0; index < options.kills; index += 1) {
    const point = KILL_POINTS[index % KILL_POINTS.length] ?? "ended";
    await untilCalm();
    await killWorkerAt(point, fight, `jobs: kill ${index + 1} of ${options.kills}`);
  }
  await untilCalm();
  sampling.abort();
  fight.counts.twoJobs = await sampled;
  for (let index = 0; index < options.crashes; index += 1) {
    const points: readonly (Point | "removed")[] = [...KILL_POINTS, "removed"];
    const point = points[index % points.length] ?? "removed";
    await untilCalm();
    await crashAt(point, fight, `jobs: crash ${index + 1} of ${options.crashes}`);
  }
  await untilLive(WORKERS);
}

async function killWorkerAt(point: Point, { options, counts }: Fight, what: string): Promise<void> {
  const held = await holdAt(point);
  options.report(`${what}, ${describe(point, held)}`);
  killHard(held.worker.pid);
  await held.release();
  await until("the worker to be declared dead", () => isDeclaredDead(held.worker.pid));
  const { rows } = await db().query<{ blamed: number }>({
    text: "select count(*)::int as blamed from runs where id = any($1) and stalled > 0",
    values: [held.unopened],
  });
  counts.blamed += rows[0]?.blamed ?? 0;
  await untilLive(WORKERS);
}

async function crashAt(point: Point | "removed", fight: Fight, what: string): Promise<void> {
  const { scene, options, random, counts } = fight;
  const how = random() < 0.5 ? "immediate" : "sigkill";
  const downMs = 200 + random() * 1_500;
  if (point !== "removed") {
    const held = await holdAt(point);
    options.report(`${what}, ${how}, ${describe(point, held)}`);
    await scene.stage.database.crash(how, downMs);
    await held.release();
    return;
  }
  // The reconciler removes what an earlier crash restored. What this one restores was removed by workers.
  await untilAllAreRemoved(fight);
  fight.pause(false);
  await until("more runs to be accepted", async () => (await countOpenRuns()) >= WORKERS);
  await untilAllAreRemoved(fight);
  options.report(`${what}, ${how}, after the last job was removed`);
  await scene.stage.database.crash(how, downMs);
  counts.restored += (await until("PostgreSQL to answer", readLeftovers)).jobs;
  fight.pause(false);
}

async function untilAllAreRemoved({ pause }: Fight): Promise<void> {
  pause(true);
  await until("every run to end", async () => (await countOpenRuns()) === 0);
  await until("the last job to be removed", async () => (await readLeftovers()).jobs === 0, { everyMs: 2 });
}

function describe(point: Point, { worker, unopened, ended }: HeldPoint): string {
  if (point === "admitting") return `while worker ${worker.pid} admits runs`;
  if (point === "admitted") return `with ${unopened.length} runs of worker ${worker.pid} admitted and not started`;
  return `with ${ended} jobs of runs of worker ${worker.pid} that ended`;
}

/** A run that is interrupted three times in a row fails, which is right but not what this scenario is about. */
async function untilCalm(): Promise<void> {
  await untilLive(WORKERS);
  await until("interrupted runs to continue", async () => {
    const { rows } = await db().query("select 1 from runs where indexed_status = 'running' and stalled > 0 limit 1");
    return rows.length === 0;
  });
}

/** Looks again and again until it is aborted. */
export async function countRunsWithTwoJobs(over: AbortSignal): Promise<number> {
  const found = new Set<string>();
  do {
    const { rows } = await db().query<{ run_id: string }>({
      text: `select payload ->> 'run_id' as run_id from ${RUN_JOBS} group by 1 having count(*) > 1`,
    });
    for (const row of rows) found.add(row.run_id);
    await sleep(10);
  } while (!over.aborted);
  return found.size;
}
