import { type Benchmark, withProduct } from "#bench/benchmark";
import { compareToFloor, type Figure } from "#bench/figures";
import { drain } from "#bench/load/drain";
import { type Drained, drainBacklog, type QueueStage } from "#bench/load/drain-backlog";
import { fillQueue } from "#bench/load/fill-queue";
import { type LoadResult, runLoad } from "#bench/load/load";
import { acceptRun } from "#bench/load/shots";
import { SLUG } from "#bench/stage/product";

const BACKLOGS = [10, 100, 1_000, 10_000, 100_000];
/** The backlog that the larger ones are compared with. It is long enough that its start and its end hardly count. */
const REFERENCE = 1_000;
/** The time for which the draining of a backlog is measured. The runs that are left are then deleted. */
const DRAIN_SECONDS = 20;

export const backlog: Benchmark = {
  summary: `P10: accepting behind ${BACKLOGS.at(-1)?.toLocaleString("en")} runs that wait, and draining 10 to 100,000`,
  run: ({ seconds, connections, profile }) =>
    withProduct({ profile }, async (product) => {
      const { db } = product;
      const load = { ...acceptRun(product), connections, seconds };
      await runLoad({ ...load, seconds: 3 });
      await drain(db);
      await product.pauseWorkers(true);
      const empty = await runLoad(load);
      await product.pauseWorkers(false);
      await drain(db);
      const growth = await measureGrowth(product, { backlogs: BACKLOGS, reference: REFERENCE, seconds: DRAIN_SECONDS });
      await product.pauseWorkers(true);
      await runLoad({ ...load, seconds: 1 });
      await fillQueue(db, SLUG, BACKLOGS.at(-1) ?? 0);
      const behind = await runLoad(load);
      await discard(product);
      return [...acceptFigures(behind, empty), ...growth];
    }),
};

function acceptFigures(behind: LoadResult, empty: LoadResult): Figure[] {
  return [
    compareToFloor("P10 accept p95 ms", { measured: behind.p95Ms, floor: empty.p95Ms }, { atMost: 2 }),
    compareToFloor("P10 accepted/s", { measured: behind.perSecond, floor: empty.perSecond }, { atLeast: 0.5 }),
  ];
}

interface Growth {
  backlogs: readonly number[];
  /** The backlog that the others are compared with, one of `backlogs`. */
  reference: number;
  /** The longest time to measure each backlog. */
  seconds: number;
}

/** Drains backlogs of pure runs. Neither the rate nor the cost of a run may depend on how many runs wait. */
export async function measureGrowth(stage: QueueStage, growth: Growth, slug = SLUG): Promise<Figure[]> {
  const drained = new Map<number, Drained>();
  for (const runs of growth.backlogs) {
    drained.set(runs, await drainBacklog(stage, slug, runs, growth.seconds));
    await discard(stage);
  }
  const reference = drained.get(growth.reference);
  if (!reference) throw new Error(`no backlog of ${growth.reference} runs was drained`);
  return [...drained].flatMap(([runs, { perSecond, cpuMs }]) => {
    const [rate, cost] = [`drained/s of ${runs.toLocaleString("en")}`, "  CPU ms of a run: worker and Postgres"];
    const rates = { measured: perSecond, floor: reference.perSecond };
    const costs = { measured: cpuMs, floor: reference.cpuMs };
    // A shorter backlog consists mostly of its start and its end.
    if (runs <= growth.reference)
      return [
        { figure: rate, ...rates },
        { figure: cost, ...costs },
      ];
    return [compareToFloor(`P10 ${rate}`, rates, { atLeast: 0.9 }), compareToFloor(cost, costs, { atMost: 1.2 })];
  });
}

/**
 * Deletes the runs that are left of a backlog, so that the next backlog is measured alone and the instance can stop at
 * once.
 */
async function discard({ db }: Pick<QueueStage, "db">): Promise<void> {
  await db.query(
    `with left_over as (delete from run_queue where ticket is null returning run_id)
     delete from runs where id in (select run_id from left_over)`,
  );
  await drain(db);
}
