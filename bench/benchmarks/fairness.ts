import { setTimeout as sleep } from "node:timers/promises";
import { type Benchmark, withProduct } from "#bench/benchmark";
import { compareToNumber, type Figure } from "#bench/figures";
import { callOnce } from "#bench/load/call-once";
import { fillQueue } from "#bench/load/fill-queue";
import { runLoad } from "#bench/load/load";
import { acceptRun } from "#bench/load/shots";
import { PURE, withHttp } from "#bench/load/workflows";
import { percentile } from "#bench/measure/statistics";
import { type Product, SLUG } from "#bench/stage/product";
import { startStub } from "#bench/stage/start-stub";

const BACKLOG = 10_000;
const SLOW_MS = 29_000;
const EQUAL_LOAD = 4_000;
const OTHER = "other";
const OTHER_ACTION = "greet-other";

export const fairness: Benchmark = {
  summary: `P20: a workspace behind ${BACKLOG.toLocaleString("en")} runs of another, and two with equal load`,
  run: async ({ seconds, profile }) => {
    const slow = await startStub(SLOW_MS);
    try {
      const env = { OUTBOUND_ALLOW: "127.0.0.1", RUNS_PER_USER_PER_HOUR: "0", REQUESTS_PER_WINDOW: "0" };
      return await withProduct({ env, profile }, async (product) => {
        const headers = await product.addWorkspace(OTHER);
        await product.publish(OTHER_ACTION, PURE, OTHER);
        await product.publish("slow", withHttp(slow.url));
        const other = { ...product, headers };
        return [...(await measureEqualLoad(product, other, seconds)), await measureVictim(product, other, seconds)];
      });
    } finally {
      await slow.stop();
    }
  },
};

async function countEnded({ db }: Product, slug: string): Promise<number> {
  const text = "select count(*)::int as n from runs where action_slug = $1 and completed_at is not null";
  return (await db.query<{ n: number }>(text, [slug])).rows[0]?.n ?? 0;
}

async function measureEqualLoad(product: Product, other: Product, seconds: number): Promise<Figure[]> {
  await product.pauseWorkers(true);
  await callOnce(product, SLUG);
  await callOnce(other, OTHER_ACTION);
  await fillQueue(product.db, SLUG, EQUAL_LOAD);
  await fillQueue(product.db, OTHER_ACTION, EQUAL_LOAD);
  await product.pauseWorkers(false);
  let [first, second] = [0, 0];
  for (const endMs = performance.now() + seconds * 1_000; performance.now() < endMs; ) {
    const counts = [await countEnded(product, SLUG), await countEnded(product, OTHER_ACTION)] as const;
    // Counts until one queue is almost empty.
    if (Math.max(...counts) > EQUAL_LOAD * 0.95) break;
    [first, second] = counts;
    await sleep(100);
  }
  const share = second / (first + second);
  return [
    compareToNumber("P20 equal load: share of the workspace that came second, at least", share, { atLeast: 0.45 }),
    compareToNumber("P20 the same, at most", share, { atMost: 0.55 }),
  ];
}

async function measureVictim(product: Product, other: Product, seconds: number): Promise<Figure> {
  await product.pauseWorkers(true);
  await callOnce(product, "slow");
  await fillQueue(product.db, "slow", BACKLOG);
  await product.pauseWorkers(false);
  await sleep(2_000);
  const since = (await product.db.query("select now() as at")).rows[0].at;
  await runLoad({ ...acceptRun(other, OTHER_ACTION), connections: 1, seconds });
  await sleep(2_000);
  const { rows } = await product.db.query<{ ms: number | null }>(
    `select extract(epoch from started_at - created_at)::float8 * 1000 as ms from runs
     where action_slug = $1 and created_at >= $2`,
    [OTHER_ACTION, since],
  );
  const waits = rows.map(({ ms }) => ms ?? Number.POSITIVE_INFINITY);
  const label = `P20 start behind ${BACKLOG.toLocaleString("en")} runs of another workspace, p95 ms`;
  return compareToNumber(label, percentile(waits, 0.95), { atMost: 1_000 });
}
