import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "undici";
import { type Benchmark, withProduct } from "#bench/benchmark";
import { compareToFloor, compareToNumber } from "#bench/figures";
import { openJobFloor } from "#bench/job-floor";
import { type Product, SLUG } from "#bench/product";
import { groupedMedian, percentile } from "#bench/statistics";
import { INPUT } from "#bench/workflows";

/** The time an idle instance needs for one run; the rest of a second is spent in pauses. */
const RUNS_PER_SECOND = 10;
const WARM_UP_RUNS = 30;

export const latency: Benchmark = {
  summary: "P4, P5: accept to first step, and a whole three-step run, on an idle instance",
  run: ({ seconds, rounds, profile }) =>
    withProduct({ profile }, async (product) => {
      const jobFloor = await openJobFloor(product.databaseUrl);
      const jobs = await jobFloor.startIdle();
      const client = new Client(product.url);
      const wholeMs: number[] = [];
      const jobMs: number[] = [];
      const ids: string[] = [];
      try {
        for (let run = -WARM_UP_RUNS; run < seconds * rounds * RUNS_PER_SECOND; run += 1) {
          const job = await pause(() => jobs.measureOne());
          const whole = await pause(() => runToEnd(client, product));
          if (run < 0) continue;
          jobMs.push(job);
          wholeMs.push(whole.ms);
          ids.push(whole.id);
        }
      } finally {
        await client.close();
        await jobs.stop();
        await jobFloor.close();
      }
      const { firstMs, storedMs } = await readTimes(product, ids);
      const floor = percentile(jobMs, 0.5);
      return [
        compareToFloor("P4 accept to first step, p50 ms", { measured: groupedMedian(firstMs), floor }, { atMost: 2 }),
        {
          ...compareToNumber("P4 accept to first step, p99 ms", percentile(firstMs, 0.99), { atMost: 15 }),
          floor: percentile(jobMs, 0.99),
        },
        compareToNumber("P5 whole run as its caller sees it, p50 ms", percentile(wholeMs, 0.5), { atMost: 25 }),
        { figure: "P5 the same, p99 ms", measured: percentile(wholeMs, 0.99) },
        { figure: "created to completed, p50 ms", measured: groupedMedian(storedMs) },
      ];
    }),
};

/** Out of step with everything that happens at fixed intervals. */
async function pause<T>(work: () => Promise<T>): Promise<T> {
  await sleep(20 + Math.random() * 40);
  return work();
}

/** One caller: starts a run and waits for its end, like the README's first call. */
async function runToEnd(client: Client, { headers }: Product): Promise<{ id: string; ms: number }> {
  const path = `/api/v1/runtime/actions/${SLUG}/run`;
  const sentMs = performance.now();
  const accepted = await client.request({ method: "POST", path, headers, body: JSON.stringify({ input: INPUT }) });
  const { run_id: id } = (await accepted.body.json()) as { run_id: string };
  const waiting = { ...headers, prefer: "wait=10" };
  const ended = await client.request({ method: "GET", path: `/api/v1/runtime/runs/${id}`, headers: waiting });
  const { status } = (await ended.body.json()) as { status: string };
  if (status !== "succeeded") throw new Error(`run ${id} is ${status}`);
  return { id, ms: performance.now() - sentMs };
}

/** By the database's clock, in whole ms. */
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
