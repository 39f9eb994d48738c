import { type Benchmark, withProduct } from "#bench/benchmark";
import { compareToFloor, type Figure } from "#bench/figures";
import { drainBacklog, type QueueStage } from "#bench/load/drain-backlog";
import { WITH_CODE } from "#bench/load/workflows";
import { costFigures } from "#bench/measure/measure-waits";
import { median } from "#bench/measure/statistics";
import { SLUG } from "#bench/stage/product";

/** The slug of the action with a code step. */
export const CODE = "with-code";
// Long enough that the start of the drain does not count.
const SHORT_QUEUE = 1_000;
const BACKLOG = 3_000;

export const code: Benchmark = {
  summary: `P3: runs with a code step, ${BACKLOG.toLocaleString("en")} queued next to ${SHORT_QUEUE.toLocaleString("en")} at a time`,
  run: ({ rounds, profile }) =>
    withProduct({ profile }, async (product) => {
      await product.publish(CODE, WITH_CODE);
      await drainBacklog(product, CODE, SHORT_QUEUE);
      return measureCode(product, { rounds, short: SHORT_QUEUE, backlog: BACKLOG });
    }),
};

interface CodeQueues {
  rounds: number;
  short: number;
  backlog: number;
}

/** Measures runs with a code step. The floor of the cost is the same run without the code step. */
export async function measureCode(
  stage: QueueStage,
  { rounds, short, backlog }: CodeQueues,
  pure = SLUG,
): Promise<Figure[]> {
  const shortRates: number[] = [];
  while (shortRates.length < rounds) shortRates.push((await drainBacklog(stage, CODE, short)).perSecond);
  const drained = await drainBacklog(stage, CODE, backlog);
  const without = await drainBacklog(stage, pure, backlog);
  return [
    compareToFloor(
      "P3 finished/s with a code step, floor: a short queue",
      { measured: drained.perSecond, floor: median(shortRates) },
      { atLeast: 0.9 },
    ),
    {
      figure: "  CPU ms of a run, floor: without the code step",
      measured: drained.cpuMs,
      floor: without.cpuMs,
      ratio: drained.cpuMs / without.cpuMs,
    },
    ...costFigures(drained).slice(1),
  ];
}
