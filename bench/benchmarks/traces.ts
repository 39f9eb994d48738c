import { setTimeout as sleep } from "node:timers/promises";
import type { Benchmark } from "#bench/benchmark";
import { compareToFloor, type Figure } from "#bench/figures";
import { queueRuns } from "#bench/load/queue-runs";
import { PURE, WITH_CODE } from "#bench/load/workflows";
import { readCpuMs } from "#bench/measure/process-usage";
import { median } from "#bench/measure/statistics";
import { type LeanStage, openLeanStage, startLeanWorker } from "#bench/stage/lean-stage";
import { serve } from "#bench/stage/start-stub";
import type { TestAction } from "#lib/domain/actions/action.fixture";

/**
 * The workloads. `runsPerSecond` is the number of runs in a round for each second that the round should take. Twelve
 * spans cost the same for every run, so the run of pure steps has no target: it is the cheapest run that exists.
 */
const WORKLOADS = {
  code: { definition: WITH_CODE, runsPerSecond: 100, what: "with a code step", target: { atMost: 1.05 } },
  pure: { definition: PURE, runsPerSecond: 400, what: "of pure steps", target: null },
};
/** Runs until each child of the sandbox executes compiled code, as in a worker that has run for a while. */
const WARM_UP_RUNS = 1_000;
const POLL_MS = 20;
/** Exports continue after the last run has ended. */
const QUIET_MS = 1_000;
const QUIET_CPU_MS = 20;

interface Cost {
  perSecond: number;
  /** CPU time of the worker and PostgreSQL per run. */
  cpuMs: number;
}

/**
 * Drains a queue with one worker, in turn with and without exports. The queue is filled before. The benchmark's
 * collector only counts bytes, so the figures show the product's cost. The CPU time includes the exports that are sent
 * after the last run has ended.
 */
export const traces: Benchmark = {
  summary: "P22: what traces of every run cost the worker and PostgreSQL, compared with no traces",
  run: async ({ rounds, seconds }) => {
    const sink = await startSink();
    const stage = await openLeanStage();
    try {
      const figures: Figure[] = [];
      for (const [slug, { definition, runsPerSecond, what, target }] of Object.entries(WORKLOADS)) {
        const runs = Math.ceil(seconds * runsPerSecond);
        const action = await stage.addAction(slug, definition);
        const [off, on]: [Cost[], Cost[]] = [[], []];
        const bytesBefore = sink.bytes();
        for (let round = 0; round < rounds; round += 1) {
          off.push(await measure(stage, action, runs, ""));
          on.push(await measure(stage, action, runs, sink.url));
        }
        const sent = (sink.bytes() - bytesBefore) / (rounds * (runs + WARM_UP_RUNS));
        figures.push(...figuresOf(what, target, off, on), { figure: "  bytes sent per run", measured: sent });
      }
      return figures;
    } finally {
      await stage.close();
      await sink.close();
    }
  },
};

function figuresOf(
  what: string,
  target: { atMost: number } | null,
  off: readonly Cost[],
  on: readonly Cost[],
): Figure[] {
  const of = (costs: readonly Cost[], pick: (cost: Cost) => number) => median(costs.map(pick));
  const cpu = { measured: of(on, ({ cpuMs }) => cpuMs), floor: of(off, ({ cpuMs }) => cpuMs) };
  const rate = { measured: of(on, ({ perSecond }) => perSecond), floor: of(off, ({ perSecond }) => perSecond) };
  const figure = `P22 CPU ms of a run ${what}: traced, floor: not traced`;
  return [
    target === null ? { figure, ...cpu, ratio: cpu.measured / cpu.floor } : compareToFloor(figure, cpu, target),
    { figure: "  runs finished/s", ...rate, ratio: rate.measured / rate.floor },
  ];
}

/** @param endpoint the collector, or an empty string for none */
async function measure(stage: LeanStage, action: TestAction, runs: number, endpoint: string): Promise<Cost> {
  // Exports more often than by default, so that no export is left when the CPU time is read.
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: "500" });
  const worker = await startLeanWorker();
  try {
    const pids = [worker.pid, stage.postgresPid];
    await drain(stage, action, WARM_UP_RUNS, worker.pid);
    await untilQuiet(pids);
    const beforeMs = readCpuMs(pids);
    const perSecond = await drain(stage, action, runs, worker.pid);
    await untilQuiet(pids);
    return { perSecond, cpuMs: (readCpuMs(pids) - beforeMs) / runs };
  } finally {
    await worker.stop();
  }
}

/** Queues runs while the worker is stopped. Returns how many runs the worker then finishes per second. */
async function drain(stage: LeanStage, action: TestAction, runs: number, pid: number): Promise<number> {
  const { db } = stage;
  process.kill(pid, "SIGSTOP");
  const since = await queueRuns(stage, action, runs);
  process.kill(pid, "SIGCONT");
  await db.query("select pg_notify('runs_queued', '')");
  for (let left = runs; left > 0; await sleep(POLL_MS)) {
    const { rows } = await db.query<{ left: number }>("select count(*)::int as left from run_queue");
    left = rows[0]?.left ?? 0;
  }
  const { rows } = await db.query<{ seconds: number }>(
    `select extract(epoch from max(completed_at) - min(started_at))::float8 as seconds
     from runs where action_slug = $1 and created_at >= $2`,
    [action.slug, since],
  );
  return runs / (rows[0]?.seconds ?? 1);
}

async function untilQuiet(pids: readonly number[]): Promise<void> {
  for (let [before, now] = [0, readCpuMs(pids)]; now - before > QUIET_CPU_MS; ) {
    await sleep(QUIET_MS);
    [before, now] = [now, readCpuMs(pids)];
  }
}

/** Starts a collector that accepts everything and keeps nothing. */
async function startSink() {
  let bytes = 0;
  const { url, stop } = await serve((incoming, response) => {
    incoming.on("data", (part: Buffer) => {
      bytes += part.length;
    });
    incoming.on("end", () => response.writeHead(200, { "content-type": "application/x-protobuf" }).end());
  });
  return { url: new URL(url).origin, bytes: () => bytes, close: stop };
}
