import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { type Benchmark, withProduct } from "#bench/benchmark";
import { compareToFloor, type Figure } from "#bench/figures";
import { callOnce } from "#bench/load/call-once";
import { drain } from "#bench/load/drain";
import { runToEnd } from "#bench/load/run-to-end";
import { WITH_CODE, withHttp } from "#bench/load/workflows";
import { readCpuMs } from "#bench/measure/process-usage";
import { median } from "#bench/measure/statistics";
import { type Product, SLUG } from "#bench/stage/product";
import { startStub } from "#bench/stage/start-stub";

/** The seconds without work before the calls that are measured. `--seconds` adds the longer ones. */
const PAUSES_SECONDS = [1, 12, 60, 600];
const SHORT_PAUSE_SECONDS = 12;
/** Nothing is left to load, and the sandbox has its children. */
const WARM_UP_RUNS = 50;
/** A busy second has calls one after another, and then as many at once as after a pause. */
const BUSY_MS = 1_000;
const AT_ONCE = 10;
/** The runs of a burst: one half has a code step, the other half an HTTP step. */
const BURST_RUNS = 300;
const BURST_PAUSE_SECONDS = 12;
const CODE = "code";
const HTTP = "http";

export const cold: Benchmark = {
  summary: "P23: first call, ten calls at once, and a burst after a pause, compared with a busy second",
  run: async ({ seconds, rounds }) => {
    const stub = await startStub();
    try {
      return await withProduct({ env: { OUTBOUND_ALLOW: "127.0.0.1" } }, async (product) => {
        await product.publish(CODE, WITH_CODE);
        await product.publish(HTTP, withHttp(stub.url));
        const pauses = PAUSES_SECONDS.filter((pause) => pause <= Math.max(seconds, SHORT_PAUSE_SECONDS));
        return await measure(product, { pauses, rounds });
      });
    } finally {
      await stub.stop();
    }
  },
};

async function measure(product: Product, { pauses, rounds }: { pauses: number[]; rounds: number }): Promise<Figure[]> {
  const caller = new Pool(product.url, { connections: AT_ONCE });
  const call = () => runToEnd(caller, product, SLUG);
  try {
    for (let run = 0; run < WARM_UP_RUNS; run += 1) await call();
    await callAtOnce(call);
    const figures: Figure[] = [];
    for (const pause of pauses)
      figures.push(...judgePause(pause, await measurePause(product, call, { pause, rounds })));
    figures.push(await measureBursts(product, rounds));
    return figures;
  } finally {
    await caller.close();
  }
}

type Call = () => Promise<{ ms: number }>;

/** Times of calls in ms: each is the time of one call, or of the slowest of ten at once. */
export interface PauseTimes {
  busy: number[];
  first: number[];
  busyAtOnce: number[];
  firstAtOnce: number[];
  /** The connections to PostgreSQL that the calls after pauses opened. */
  opened: number;
}

/** Compares the calls after a pause with those of a busy second. */
export function judgePause(pause: number, times: PauseTimes): Figure[] {
  const first = { measured: median(times.first), floor: median(times.busy) };
  const atOnce = { measured: median(times.firstAtOnce), floor: median(times.busyAtOnce) };
  return [
    compareToFloor(`P23 first call after ${pause} s, p50 ms, floor: a busy second`, first, { atMost: 2 }),
    compareToFloor(`P23 ten at once after ${pause} s, p50 ms, floor: a busy second`, atOnce, { atMost: 3 }),
    { figure: "  connections opened after a pause", measured: times.opened },
  ];
}

async function measurePause(
  { db }: Product,
  call: Call,
  { pause, rounds }: { pause: number; rounds: number },
): Promise<PauseTimes> {
  const times: PauseTimes = { busy: [], first: [], busyAtOnce: [], firstAtOnce: [], opened: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const endMs = performance.now() + BUSY_MS;
    while (performance.now() < endMs) times.busy.push((await call()).ms);
    times.busyAtOnce.push(await callAtOnce(call));
    times.opened += await countOpened(db, async () => {
      await sleep(pause * 1_000);
      times.first.push((await call()).ms);
      await sleep(pause * 1_000);
      times.firstAtOnce.push(await callAtOnce(call));
    });
  }
  return times;
}

/** Starts ten runs at once. Resolves with the time until the last one has ended. */
async function callAtOnce(call: Call): Promise<number> {
  const calls = await Promise.all(Array.from({ length: AT_ONCE }, call));
  return Math.max(...calls.map(({ ms }) => ms));
}

/** Counts the connections that the product opened during the work and still has. */
async function countOpened(db: Product["db"], work: () => Promise<void>): Promise<number> {
  const { rows: before } = await db.query<{ now: Date }>("select clock_timestamp() as now");
  await work();
  const { rows } = await db.query<{ opened: number }>(
    `select count(*)::integer as opened from pg_stat_activity
     where datname = current_database() and application_name = 'signalbox' and backend_start > $1`,
    [before[0]?.now],
  );
  return rows[0]?.opened ?? 0;
}

/** Compares the CPU time of a burst after a pause with that of the same burst right after another one. */
async function measureBursts(product: Product, rounds: number): Promise<Figure> {
  const [busy, first]: [number[], number[]] = [[], []];
  await burst(product);
  for (let round = 0; round < rounds; round += 1) {
    busy.push(await burst(product));
    await sleep(BURST_PAUSE_SECONDS * 1_000);
    first.push(await burst(product));
  }
  return compareToFloor(
    `P23 CPU ms of ${BURST_RUNS} runs after ${BURST_PAUSE_SECONDS} s, floor: right after another burst`,
    { measured: median(first), floor: median(busy) },
    { atMost: 1.2 },
  );
}

/** @returns the CPU time of all processes and PostgreSQL until every run has ended, in ms */
async function burst(product: Product): Promise<number> {
  const { web, workers, postgres } = await product.pids();
  const pids = [...web, ...workers, ...postgres];
  const beforeMs = readCpuMs(pids);
  await Promise.all(Array.from({ length: BURST_RUNS }, (_, index) => callOnce(product, index % 2 === 0 ? CODE : HTTP)));
  await drain(product.db);
  return readCpuMs(pids) - beforeMs;
}
