import { setTimeout as sleep } from "node:timers/promises";
import type { Benchmark } from "#bench/benchmark";
import { compareToFloor, type Figure } from "#bench/figures";
import { queueRuns } from "#bench/load/queue-runs";
import { PURE, WITH_CODE } from "#bench/load/workflows";
import { readCpuMs } from "#bench/measure/process-usage";
import { median } from "#bench/measure/statistics";
import { type LeanStage, openLeanStage, pinFamily, startLeanWorker } from "#bench/stage/lean-stage";
import type { TestAction } from "#lib/domain/actions/action.fixture";

/** The workloads. `runsPerSecond` is the number of runs in a round for each second that the round should take. */
const WORKLOADS = {
  code: { definition: WITH_CODE, runsPerSecond: 200, what: "with a code step" },
  pure: { definition: PURE, runsPerSecond: 800, what: "of pure steps" },
};
/**
 * Runs until each child of the sandbox executes compiled code. That is the usual state, because a child serves
 * thousands of calls.
 */
const WARM_UP_RUNS = 1_000;
const AT_LEAST = 1.8;
const POLL_MS = 20;

interface Drained {
  perSecond: number;
  /** PostgreSQL's share of the CPU time. */
  postgresShare: number;
}

/**
 * Compares one core with two cores. The queue is filled while the workers are stopped, so no load generator runs.
 * PostgreSQL gets only the workers' cores: it shares the core of a single worker, and uses both cores of two workers.
 * So neither case gets an extra core for free.
 */
export const scaling: Benchmark = {
  summary: "P12: two workers on a core each against one worker on one core, PostgreSQL on the same cores",
  run: async ({ rounds, seconds }) => {
    const stage = await openLeanStage();
    try {
      const figures: Figure[] = [];
      for (const [slug, { definition, runsPerSecond, what }] of Object.entries(WORKLOADS)) {
        const runs = Math.ceil(seconds * runsPerSecond);
        const action = await stage.addAction(slug, definition);
        const [one, two]: [Drained[], Drained[]] = [[], []];
        for (let round = 0; round < rounds; round += 1) {
          one.push(await measure(stage, action, runs, [0]));
          two.push(await measure(stage, action, runs, [0, 1]));
        }
        figures.push(...figuresOf(what, one, two));
      }
      return figures;
    } finally {
      await stage.close();
    }
  },
};

function figuresOf(what: string, one: readonly Drained[], two: readonly Drained[]): Figure[] {
  const of = (drained: readonly Drained[], pick: (one: Drained) => number) => median(drained.map(pick));
  const rates = { measured: of(two, (round) => round.perSecond), floor: of(one, (round) => round.perSecond) };
  const shares = { measured: of(two, (round) => round.postgresShare), floor: of(one, (round) => round.postgresShare) };
  return [
    compareToFloor(`P12 runs/s ${what}: two workers, floor: one`, rates, { atLeast: AT_LEAST }),
    { figure: "  share of PostgreSQL in the CPU time", ...shares },
  ];
}

/** Starts one worker per core and drains a full queue. */
async function measure(stage: LeanStage, action: TestAction, runs: number, cores: number[]): Promise<Drained> {
  pinFamily(stage.postgresPid, cores);
  const workers = await Promise.all(cores.map((core) => startLeanWorker(core)));
  try {
    const pids = workers.map(({ pid }) => pid);
    await drain(stage, action, WARM_UP_RUNS, pids);
    return await drain(stage, action, runs, pids);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

async function drain(stage: LeanStage, action: TestAction, runs: number, pids: number[]) {
  const { db, postgresPid } = stage;
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  const since = await queueRuns(stage, action, runs);
  const before = { workers: readCpuMs(pids), postgres: readCpuMs([postgresPid]) };
  for (const pid of pids) process.kill(pid, "SIGCONT");
  await db.query("select pg_notify('runs_queued', '')");
  for (let left = runs; left > 0; await sleep(POLL_MS)) {
    const { rows } = await db.query<{ left: number }>("select count(*)::int as left from run_queue");
    left = rows[0]?.left ?? 0;
  }
  const workersMs = readCpuMs(pids) - before.workers;
  const postgresMs = readCpuMs([postgresPid]) - before.postgres;
  const { rows } = await db.query<{ ended: number; seconds: number }>(
    `select count(*) filter (where status = 'succeeded')::int as ended,
       extract(epoch from max(completed_at) - min(started_at))::float8 as seconds
     from runs where action_slug = $1 and created_at >= $2`,
    [action.slug, since],
  );
  const [{ ended, seconds } = { ended: 0, seconds: 1 }] = rows;
  if (ended !== runs) throw new Error(`${ended} of ${runs} runs of ${action.slug} succeeded`);
  return { perSecond: runs / seconds, postgresShare: postgresMs / (workersMs + postgresMs) };
}
