import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "undici";
import { type Benchmark, withFloor } from "#bench/benchmark";
import { compareToFloor } from "#bench/figures";
import { openJobFloor } from "#bench/floors/job-floor";
import type { Shot } from "#bench/load/load";
import { runToEnd } from "#bench/load/run-to-end";
import { floorInsert, floorRead } from "#bench/load/shots";
import { groupedMedian, percentile } from "#bench/measure/statistics";
import { type Product, SLUG } from "#bench/stage/product";

/** The runs per second, one at a time, on an idle instance. The rest of each second is spent in pauses. */
const RUNS_PER_SECOND = 10;
const WARM_UP_RUNS = 30;

export const latency: Benchmark = {
  summary: "P4, P5: accept to first step, and a whole three-step run, on an idle instance",
  run: ({ seconds, rounds, profile }) =>
    withFloor({ profile }, async ({ product, floor }) => {
      const jobFloor = await openJobFloor(product.databaseUrl);
      const jobs = await jobFloor.startIdle();
      const client = new Client(product.url);
      const floorClient = new Client(floor.url);
      const trip = (shot: Shot) => timeTrip(floorClient, shot);
      const times: Times = { jobMs: [], floorMs: [], wholeMs: [], ids: [] };
      try {
        for (let run = -WARM_UP_RUNS; run < seconds * rounds * RUNS_PER_SECOND; run += 1) {
          const job = await pause(() => jobs.measureOne());
          const trips = await pause(
            async () => (await trip(floorInsert(floor).shot(0))) + (await trip(floorRead(floor).shot(0))),
          );
          const whole = await pause(() => runToEnd(client, product, SLUG));
          if (run < 0) continue;
          times.jobMs.push(job);
          times.floorMs.push(trips + job);
          times.wholeMs.push(whole.ms);
          times.ids.push(whole.id);
        }
      } finally {
        await Promise.all([client.close(), floorClient.close(), jobs.stop()]);
        await jobFloor.close();
      }
      return figuresOf(times, await readTimes(product, times.ids));
    }),
};

interface Times {
  /** The times of graphile-worker alone. */
  jobMs: number[];
  /**
   * The times of the work that no product can avoid: a route with one INSERT, the start of a job, and a route without
   * SQL.
   */
  floorMs: number[];
  wholeMs: number[];
  ids: string[];
}

function figuresOf(
  { jobMs, floorMs, wholeMs }: Times,
  { firstMs, storedMs }: { firstMs: number[]; storedMs: number[] },
) {
  const at = (share: number) => ({ first: percentile(firstMs, share), job: percentile(jobMs, share) });
  return [
    compareToFloor(
      "P4 accept to first step, p50 ms, floor: graphile-worker",
      { measured: groupedMedian(firstMs), floor: at(0.5).job },
      { atMost: 1.8 },
    ),
    compareToFloor("P4 the same, p99 ms", { measured: at(0.99).first, floor: at(0.99).job }, { atMost: 2 }),
    compareToFloor(
      "P5 whole run as its caller sees it, p50 ms",
      { measured: percentile(wholeMs, 0.5), floor: percentile(floorMs, 0.5) },
      { atMost: 3 },
    ),
    { figure: "P5 the same, p99 ms", measured: percentile(wholeMs, 0.99), floor: percentile(floorMs, 0.99) },
    { figure: "created to completed, p50 ms", measured: groupedMedian(storedMs) },
  ];
}

async function timeTrip(client: Client, shot: Shot): Promise<number> {
  const sentMs = performance.now();
  await (await client.request(shot)).body.dump();
  return performance.now() - sentMs;
}

/**
 * Waits for a random time before the work, so that it is out of step with everything that happens at fixed intervals.
 */
async function pause<T>(work: () => Promise<T>): Promise<T> {
  await sleep(20 + Math.random() * 40);
  return work();
}

/** Reads the times by the database's clock, in whole ms. */
async function readTimes({ db }: Product, ids: string[]): Promise<{ firstMs: number[]; storedMs: number[] }> {
  const { rows } = await db.query<{ first: number; whole: number }>(
    `select extract(epoch from started_at - created_at)::float8 * 1000 as first,
       extract(epoch from completed_at - created_at)::float8 * 1000 as whole
     from runs where id = any($1::uuid[])`,
    [ids],
  );
  return {
    firstMs: rows.map((row) => Math.round(row.first)),
    storedMs: rows.map((row) => Math.round(row.whole)),
  };
}
