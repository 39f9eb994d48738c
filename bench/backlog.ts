import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type Benchmark, withProduct } from "#bench/benchmark";
import { drain } from "#bench/drain";
import { compareToFloor } from "#bench/figures";
import { fillQueue } from "#bench/fill-queue";
import { runLoad } from "#bench/load";
import { type Product, SLUG } from "#bench/product";
import { acceptRun } from "#bench/shots";

const BACKLOG = 100_000;
const SHORT_QUEUE = 5_000;
/** How long the draining backlog is watched; the rest is deleted. */
const DRAIN_SECONDS = 20;

export const backlog: Benchmark = {
  summary: `P10: accepting and draining behind ${BACKLOG.toLocaleString("en")} runs that wait`,
  run: ({ seconds, connections, profile }) =>
    withProduct({ profile }, async (product) => {
      const { db } = product;
      const load = { ...acceptRun(product), connections, seconds };
      await runLoad({ ...load, seconds: 3 });
      await drain(db);
      await product.pauseWorkers(true);
      const empty = await runLoad(load);
      await fillQueue(db, SLUG, SHORT_QUEUE);
      const short = await drainFor(product, DRAIN_SECONDS);
      await drain(db);
      await product.pauseWorkers(true);
      await runLoad({ ...load, seconds: 1 });
      await fillQueue(db, SLUG, BACKLOG);
      const behind = await runLoad(load);
      const long = await drainFor(product, DRAIN_SECONDS);
      await discard(db);
      return [
        compareToFloor("P10 accept p95 ms", { measured: behind.p95Ms, floor: empty.p95Ms }, { atMost: 2 }),
        compareToFloor("P10 accepted/s", { measured: behind.perSecond, floor: empty.perSecond }, { atLeast: 0.5 }),
        compareToFloor("P10 drained/s, floor: a short queue", { measured: long, floor: short }, { atLeast: 0.9 }),
      ];
    }),
};

/** Starts the workers and returns how many runs they finish per second, until all are done or the time is up. */
async function drainFor(product: Product, seconds: number): Promise<number> {
  const since = (await product.db.query<{ at: Date }>("select now() as at")).rows[0]?.at;
  await product.pauseWorkers(false);
  const endMs = performance.now() + seconds * 1_000;
  for (let open = true; open && performance.now() < endMs; ) {
    await sleep(200);
    const { rows } = await product.db.query("select 1 from runs where status = 'accepted' limit 1");
    open = rows.length > 0;
  }
  const { rows } = await product.db.query<{ rate: number }>(
    `select count(*) / extract(epoch from max(completed_at) - min(started_at))::float8 as rate
     from runs where completed_at >= $1`,
    [since],
  );
  return rows[0]?.rate ?? 0;
}

/** The instance should stop at once instead of finishing the remaining runs. */
async function discard(db: pg.Pool): Promise<void> {
  await db.query("delete from run_queue where ticket is null");
}
