import { z } from "zod";
import type { Benchmark } from "#bench/benchmark";
import { type Figure, formatTable } from "#bench/figures";
import { FLAG, namesOf, positive, readOptions } from "#bench/run/read-options";

/** Loads benchmarks on demand, because the list needs none of them. */
const BENCHMARKS: Record<string, () => Promise<Benchmark>> = {
  accept: async () => (await import("#bench/benchmarks/accept")).accept,
  "accept-limited": async () => (await import("#bench/benchmarks/accept")).acceptLimited,
  batch: async () => (await import("#bench/benchmarks/batch")).batch,
  poll: async () => (await import("#bench/benchmarks/poll")).poll,
  "event-loop": async () => (await import("#bench/benchmarks/event-loop")).eventLoop,
  mcp: async () => (await import("#bench/benchmarks/mcp")).mcp,
  webhooks: async () => (await import("#bench/benchmarks/webhooks")).webhooks,
  schedules: async () => (await import("#bench/benchmarks/schedules")).schedules,
  throughput: async () => (await import("#bench/benchmarks/throughput")).throughput,
  "slow-steps": async () => (await import("#bench/benchmarks/slow-steps")).slowSteps,
  code: async () => (await import("#bench/benchmarks/code")).code,
  mix: async () => (await import("#bench/benchmarks/mix")).mix,
  fairness: async () => (await import("#bench/benchmarks/fairness")).fairness,
  latency: async () => (await import("#bench/benchmarks/latency")).latency,
  backlog: async () => (await import("#bench/benchmarks/backlog")).backlog,
  "runs-at-scale": async () => (await import("#bench/benchmarks/runs-at-scale")).runsAtScale,
  retention: async () => (await import("#bench/benchmarks/retention")).retention,
  traces: async () => (await import("#bench/benchmarks/traces")).traces,
  scaling: async () => (await import("#bench/benchmarks/scaling")).scaling,
  capacity: async () => (await import("#bench/benchmarks/capacity")).capacity,
  "first-start": async () => (await import("#bench/benchmarks/first-start")).firstStart,
  footprint: async () => (await import("#bench/benchmarks/footprint")).footprint,
  cold: async () => (await import("#bench/benchmarks/cold")).cold,
  idle: async () => (await import("#bench/benchmarks/idle")).idle,
  pages: async () => (await import("#bench/benchmarks/pages")).pages,
  canvas: async () => (await import("#bench/benchmarks/canvas")).canvas,
  "run-page": async () => (await import("#bench/benchmarks/run-page")).runPage,
  engine: async () => (await import("#bench/benchmarks/engine")).engine,
  mistakes: async () => (await import("#bench/mistakes/mistakes")).mistakes,
  "random-runs": async () => (await import("#bench/benchmarks/random-runs")).randomRuns,
  "code-calls": async () => (await import("#bench/benchmarks/code-calls")).codeCalls,
};

const USAGE = `Usage: npm run bench -- <name>... [options]      or: all

  --seconds <n>      length of one round (5)
  --rounds <n>       rounds of which the median counts (3)
  --connections <n>  requests in flight at the same time (10)
  --runs <n>         how many runs runs-at-scale seeds, and retention for each week (1000000)
  --weeks <n>        how many weeks of runs retention seeds (1)
  --json             one JSON line instead of tables
  --profile <dir>    CPU profiles of the product's processes; the figures are then worth nothing

Each starts a product of its own (production build, embedded PostgreSQL, its own port) and takes it away again.
Compare within one run only: what else the machine does moves floor and product alike.`;

const NAMES = Object.keys(BENCHMARKS);
const OPTIONS = {
  only: namesOf(NAMES, { all: NAMES }).default([]),
  seconds: positive().default(5),
  rounds: positive().default(3),
  connections: positive().default(10),
  runs: positive().default(1_000_000),
  weeks: positive().default(1),
  json: FLAG,
  profile: z.string().optional(),
};

process.exitCode = await main();

async function main(): Promise<number> {
  const { only, json: isJson, ...options } = readOptions(OPTIONS, USAGE);
  if (only.length === 0) {
    process.stdout.write(`${USAGE}\n`);
    for (const name of NAMES) process.stdout.write(`  ${name.padEnd(16)}${(await load(name)).summary}\n`);
    return 0;
  }
  const all: Record<string, Figure[]> = {};
  for (const name of only) {
    const { summary, run } = await load(name);
    process.stderr.write(`${name}: ${summary}\n`);
    const figures = await run({ ...options, profile: options.profile });
    all[name] = figures;
    if (!isJson) process.stdout.write(`\n${formatTable(figures)}\n`);
  }
  if (isJson) process.stdout.write(`${JSON.stringify(all)}\n`);
  return Object.values(all).some((figures) => figures.some(({ isMet }) => isMet === false)) ? 2 : 0;
}

async function load(name: string): Promise<Benchmark> {
  const found = BENCHMARKS[name];
  if (found) return found();
  throw new Error(`There is no benchmark ${name}.`);
}
