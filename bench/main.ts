import { parseArgs } from "node:util";
import type { Benchmark, BenchOptions } from "#bench/benchmark";
import { type Figure, formatTable } from "#bench/figures";

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
  footprint: async () => (await import("#bench/benchmarks/footprint")).footprint,
  pages: async () => (await import("#bench/benchmarks/pages")).pages,
  canvas: async () => (await import("#bench/benchmarks/canvas")).canvas,
  "run-page": async () => (await import("#bench/benchmarks/run-page")).runPage,
  engine: async () => (await import("#bench/benchmarks/engine")).engine,
  mistakes: async () => (await import("#bench/mistakes/mistakes")).mistakes,
  "random-runs": async () => (await import("#bench/benchmarks/random-runs")).randomRuns,
  "code-calls": async () => (await import("#bench/benchmarks/code-calls")).codeCalls,
};

const USAGE = `npm run bench -- <name>... [options]      or: all

  --seconds <n>      length of one round (5)
  --rounds <n>       rounds of which the median counts (3)
  --connections <n>  requests in flight at the same time (10)
  --runs <n>         how many runs runs-at-scale seeds, and retention for each week (1000000)
  --weeks <n>        how many weeks of runs retention seeds (1)
  --json             one JSON line instead of tables
  --profile <dir>    CPU profiles of the product's processes; the figures are then worth nothing

Each starts a product of its own (production build, embedded PostgreSQL, its own port) and takes it away again.
Compare within one run only: what else the machine does moves floor and product alike.
`;

process.exitCode = await main();

async function main(): Promise<number> {
  const { names, isJson, options } = readArguments();
  if (names.length === 0) {
    process.stdout.write(USAGE);
    for (const [name, load] of Object.entries(BENCHMARKS)) {
      process.stdout.write(`  ${name.padEnd(16)}${(await load()).summary}\n`);
    }
    return 0;
  }
  const all: Record<string, Figure[]> = {};
  for (const name of names) {
    const { summary, run } = await (BENCHMARKS[name] ?? unknown(name))();
    process.stderr.write(`${name}: ${summary}\n`);
    const figures = await run(options);
    all[name] = figures;
    if (!isJson) process.stdout.write(`\n${formatTable(figures)}\n`);
  }
  if (isJson) process.stdout.write(`${JSON.stringify(all)}\n`);
  return Object.values(all).some((figures) => figures.some(({ isMet }) => isMet === false)) ? 2 : 0;
}

function readArguments(): { names: string[]; isJson: boolean; options: BenchOptions } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: "string", default: "5" },
      rounds: { type: "string", default: "3" },
      connections: { type: "string", default: "10" },
      runs: { type: "string", default: "1000000" },
      weeks: { type: "string", default: "1" },
      json: { type: "boolean", default: false },
      profile: { type: "string" },
    },
  });
  return {
    names: positionals[0] === "all" ? Object.keys(BENCHMARKS) : positionals,
    isJson: values.json,
    options: {
      seconds: positive("seconds", values.seconds),
      rounds: positive("rounds", values.rounds),
      connections: positive("connections", values.connections),
      runs: positive("runs", values.runs),
      weeks: positive("weeks", values.weeks),
      profile: values.profile,
    },
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name}: must be a number above 0`);
  return value;
}

function unknown(name: string): never {
  throw new Error(`There is no benchmark ${name}. npm run bench lists them.`);
}
