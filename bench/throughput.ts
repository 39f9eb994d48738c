import { type Benchmark, type BenchOptions, withProduct } from "#bench/benchmark";
import { readDatabaseUsage } from "#bench/database-usage";
import { drain } from "#bench/drain";
import { compareToNumber, type Figure } from "#bench/figures";
import { openJobFloor } from "#bench/job-floor";
import { runLoad } from "#bench/load";
import { readCpuMs } from "#bench/process-usage";
import { type Product, SLUG } from "#bench/product";
import { acceptRun } from "#bench/shots";
import { startStub } from "#bench/start-stub";
import { median } from "#bench/statistics";
import { WITH_CODE, withHttp } from "#bench/workflows";

/**
 * n8n 2.41, one process, 10 connections, its fastest setting, on the machine and the day it was measured: executions of
 * the same work per second. On another machine they are a scale, not a comparison.
 */
const N8N = { pure: 196, code: 143, http: 162 };
const AT_LEAST_TIMES_N8N = 3;
const WARM_UP_SECONDS = 3;
const FLOOR_JOBS = 5_000;

export const throughput: Benchmark = {
  summary: "P2, P3, P8: runs finished per second, accepted and executed at the same time, and the cost of one",
  run: async (options) => [...(await measureOneWorker(options)), ...(await measureTwoWorkers(options))],
};

async function measureOneWorker(options: BenchOptions): Promise<Figure[]> {
  const stub = await startStub();
  try {
    const env = { OUTBOUND_ALLOW: "127.0.0.1" };
    return await withProduct({ env, profile: options.profile }, async (product) => {
      await product.publish("with-code", WITH_CODE);
      await product.publish("with-http", withHttp(stub.url));
      const pure = await measureWithDatabase(product, options);
      const code = await measure(product, "with-code", options);
      const http = await measure(product, "with-http", options);
      const jobFloor = await openJobFloor(product.databaseUrl);
      const asDelivered = await jobFloor.measureRate(FLOOR_JOBS, false);
      const tuned = await jobFloor.measureRate(FLOOR_JOBS, true);
      await jobFloor.close();
      return [
        { ...againstN8n("P2 runs finished/s, one worker", pure.perSecond, N8N.pure), floor: asDelivered },
        againstN8n("P3 the same and a code step", code.perSecond, N8N.code),
        againstN8n("P3 the same and an HTTP step", http.perSecond, N8N.http),
        ...costFigures(pure),
        { figure: "CPU ms a run with a code step", measured: code.cpu.all },
        { figure: "CPU ms a run with an HTTP step", measured: http.cpu.all },
        { figure: "graphile-worker's empty jobs/s, as delivered", measured: asDelivered },
        { figure: "graphile-worker's empty jobs/s, fetched ahead", measured: tuned },
      ];
    });
  } finally {
    await stub.stop();
  }
}

function measureTwoWorkers(options: BenchOptions): Promise<Figure[]> {
  return withProduct({ workers: 2 }, async (product) => {
    const { perSecond } = await measure(product, SLUG, options);
    return [{ figure: "P2 runs finished/s, two workers", measured: perSecond }];
  });
}

function againstN8n(figure: string, perSecond: number, n8n: number): Figure {
  return compareToNumber(figure, perSecond, { atLeast: AT_LEAST_TIMES_N8N * n8n });
}

function costFigures({ cpu, commits, walBytes }: MeasuredWithDatabase): Figure[] {
  return [
    compareToNumber("P8 CPU ms a run: web, worker, Postgres", cpu.all, { atMost: 3 }),
    { figure: "  of which web", measured: cpu.web },
    { figure: "  of which worker", measured: cpu.workers },
    { figure: "  of which Postgres", measured: cpu.postgres },
    compareToNumber("P8 commits a run", commits, { atMost: 5 }),
    compareToNumber("P8 bytes of WAL a run", walBytes, { atMost: 6_000 }),
  ];
}

interface Measured {
  perSecond: number;
  /** CPU ms per run. */
  cpu: Record<"web" | "workers" | "postgres" | "all", number>;
}
interface MeasuredWithDatabase extends Measured {
  commits: number;
  walBytes: number;
}

async function measureWithDatabase(product: Product, options: BenchOptions): Promise<MeasuredWithDatabase> {
  await warmUp(product, SLUG, options);
  const countRuns = async () =>
    (await product.db.query<{ n: number }>("select count(*)::int as n from runs")).rows[0]?.n ?? 0;
  const before = await readDatabaseUsage(product.db);
  const runsBefore = await countRuns();
  const measured = await measureRounds(product, SLUG, options);
  const after = await readDatabaseUsage(product.db);
  const runs = (await countRuns()) - runsBefore;
  return {
    ...measured,
    commits: (after.commits - before.commits) / runs,
    walBytes: (after.walBytes - before.walBytes) / runs,
  };
}

async function measure(product: Product, slug: string, options: BenchOptions): Promise<Measured> {
  await warmUp(product, slug, options);
  return measureRounds(product, slug, options);
}

async function warmUp(product: Product, slug: string, { connections }: BenchOptions): Promise<void> {
  await runLoad({ ...acceptRun(product, slug), connections, seconds: WARM_UP_SECONDS });
  await drain(product.db);
}

async function measureRounds(product: Product, slug: string, options: BenchOptions): Promise<Measured> {
  const rounds: Measured[] = [];
  while (rounds.length < options.rounds) rounds.push(await measureRound(product, slug, options));
  const of = (pick: (round: Measured) => number) => median(rounds.map(pick));
  return {
    perSecond: of((round) => round.perSecond),
    cpu: {
      web: of(({ cpu }) => cpu.web),
      workers: of(({ cpu }) => cpu.workers),
      postgres: of(({ cpu }) => cpu.postgres),
      all: of(({ cpu }) => cpu.all),
    },
  };
}

/**
 * From the first accepted run to the last finished one: runs that are accepted faster than executed must be caught up.
 */
async function measureRound(product: Product, slug: string, options: BenchOptions): Promise<Measured> {
  const pids = await product.pids();
  const readAll = () => ({
    web: readCpuMs(pids.web),
    workers: readCpuMs(pids.workers),
    postgres: readCpuMs(pids.postgres),
  });
  const since = (await product.db.query<{ at: Date }>("select now() as at")).rows[0]?.at;
  const before = readAll();
  const { count } = await runLoad({
    ...acceptRun(product, slug),
    connections: options.connections,
    seconds: options.seconds,
  });
  await drain(product.db);
  const after = readAll();
  const { rows } = await product.db.query<{ seconds: number }>(
    `select extract(epoch from max(completed_at) - min(created_at))::float8 as seconds from runs where created_at >= $1`,
    [since],
  );
  const [web, workers, postgres] = (["web", "workers", "postgres"] as const).map(
    (name) => (after[name] - before[name]) / count,
  ) as [number, number, number];
  return { perSecond: count / (rows[0]?.seconds ?? 0), cpu: { web, workers, postgres, all: web + workers + postgres } };
}
