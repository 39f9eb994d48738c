import { setTimeout as sleep } from "node:timers/promises";
import { type Benchmark, type BenchOptions, type Contender, withProduct } from "#bench/benchmark";
import { multiplySchedules } from "#bench/benchmarks/schedules";
import type { Figure } from "#bench/figures";
import { makeCallers } from "#bench/load/callers";
import { acceptRun } from "#bench/load/shots";
import { INPUT, lineOfSteps } from "#bench/load/workflows";
import { readDatabaseUsage } from "#bench/measure/database-usage";
import { type MeasuredRuns, measureRuns, startCpu } from "#bench/measure/measure-runs";
import type { Product } from "#bench/stage/product";
import { triggerDefinition } from "#lib/domain/triggers/trigger.fixture";

const STEPS = [1, 10, 50, 190];
const PAYLOAD_KIB = [16, 128];
const KEYS = 1_000;
const CALLS_PER_KEY = 95;
const SCHEDULES = 10_000;
/** Schedules that are not due while the benchmark runs. */
const DAILY = { kind: "schedule", mode: "interval", seconds: 86_400 };
const IDLE_SECONDS = 20;
const WARM_UP_SECONDS = 2;
/**
 * The time until the new processes run compiled code. Without this wait, the first variant would cost more than the
 * later ones.
 */
const COMPILE_SECONDS = 12;

/** Shows each variant's figures next to those of the one-step run, which is the first variant. */
export const capacity: Benchmark = {
  summary:
    "what a run costs in web, worker, PostgreSQL, log and disk, by its steps and payload; what keys and schedules cost",
  run: (options) =>
    withProduct({ profile: options.profile }, async (product) => {
      for (const steps of STEPS) await product.publish(slugOf(steps), lineOfSteps(steps));
      await measureRuns(product, acceptRun(product, slugOf(1)), { ...options, seconds: COMPILE_SECONDS });
      const variants = [
        ...STEPS.map((steps): Variant => [`${steps} steps`, acceptRun(product, slugOf(steps))]),
        ...PAYLOAD_KIB.map((kib): Variant => {
          const input = { ...INPUT, name: "x".repeat(kib * 1_024) };
          return [`1 step, ${kib} KiB of input and of output`, acceptRun(product, slugOf(1), input)];
        }),
        [`1 step, ${KEYS} keys in turn`, await withManyKeys(product)],
      ] as const;
      return [...(await measureVariants(product, variants, options)), ...(await measureIdle(product))];
    }),
};

type Variant = readonly [name: string, calls: Contender];

function slugOf(steps: number): string {
  return `steps-${steps}`;
}

async function withManyKeys(product: Product): Promise<Contender> {
  const nextHeaders = await makeCallers(product, KEYS * CALLS_PER_KEY);
  const calls = acceptRun(product, slugOf(1));
  return { ...calls, shot: () => ({ ...calls.shot(0), headers: nextHeaders() }) };
}

/** The cost of one run. */
interface Cost {
  runs: MeasuredRuns;
  commits: number;
  walKb: number;
  diskKb: number;
}

async function measureVariants(
  product: Product,
  variants: readonly Variant[],
  options: BenchOptions,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  let first: Cost | undefined;
  for (const [name, calls] of variants) {
    const cost = await measureCost(product, calls, options);
    first ??= cost;
    figures.push(...costFigures(name, cost, first));
  }
  return figures;
}

async function measureCost(product: Product, calls: Contender, options: BenchOptions): Promise<Cost> {
  await measureRuns(product, calls, { ...options, seconds: WARM_UP_SECONDS });
  const [before, bytesBefore] = [await readDatabaseUsage(product.db), await readDatabaseBytes(product)];
  const runs = await measureRuns(product, calls, options);
  const [after, bytesAfter] = [await readDatabaseUsage(product.db), await readDatabaseBytes(product)];
  return {
    runs,
    commits: (after.commits - before.commits) / runs.count,
    walKb: (after.walBytes - before.walBytes) / runs.count / 1_000,
    diskKb: (bytesAfter - bytesBefore) / runs.count / 1_000,
  };
}

async function readDatabaseBytes({ db }: Product): Promise<number> {
  const { rows } = await db.query<{ bytes: string }>("select pg_database_size(current_database()) as bytes");
  return Number(rows[0]?.bytes);
}

function costFigures(name: string, cost: Cost, first: Cost): Figure[] {
  const compared = (figure: string, pick: (of: Cost) => number): Figure => {
    const [measured, floor] = [pick(cost), pick(first)];
    return { figure: `${name}: ${figure}`, measured, floor, ratio: measured / floor };
  };
  return [
    compared("runs finished/s", ({ runs }) => runs.perSecond),
    compared("CPU ms of web", ({ runs }) => runs.cpu.web),
    compared("CPU ms of the worker", ({ runs }) => runs.cpu.workers),
    compared("CPU ms of PostgreSQL", ({ runs }) => runs.cpu.postgres),
    compared("commits", ({ commits }) => commits),
    compared("kB of WAL", ({ walKb }) => walKb),
    compared("kB on disk", ({ diskKb }) => diskKb),
  ];
}

/** Measures an instance without calls: the cost of running at all, and of having schedules that are not due. */
async function measureIdle(product: Product): Promise<Figure[]> {
  const alone = await measureIdleCpu(product);
  await product.activate("scheduled", triggerDefinition(DAILY));
  await multiplySchedules(product, SCHEDULES);
  // Autovacuum would do this within a minute, and its work would count as work of the schedules.
  await product.db.query("vacuum (analyze)");
  const scheduled = await measureIdleCpu(product);
  return (["web", "workers", "postgres"] as const).map((part) => ({
    figure: `CPU ms/s of ${part}, idle with ${SCHEDULES} schedules; floor: without`,
    measured: scheduled[part],
    floor: alone[part],
    ratio: scheduled[part] / alone[part],
  }));
}

async function measureIdleCpu(product: Product): Promise<MeasuredRuns["cpu"]> {
  await sleep(WARM_UP_SECONDS * 1_000);
  const cpuSince = startCpu(await product.pids());
  await sleep(IDLE_SECONDS * 1_000);
  return cpuSince(IDLE_SECONDS);
}
