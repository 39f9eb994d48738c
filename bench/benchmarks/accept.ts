import { type Benchmark, compare, type LoadedResult, withFloor } from "#bench/benchmark";
import { compareToFloor, cpuFigure, type Figure } from "#bench/figures";
import { makeCallers } from "#bench/load/callers";
import { drain } from "#bench/load/drain";

import { acceptRun, floorInsert } from "#bench/load/shots";

/** More runs per second than two cores can accept. */
const RATE_MAX = 2_500;
const WARM_UP_CALLS = 6_000;

export const accept: Benchmark = {
  summary: "P1: runs accepted per second over REST, next to a route with one INSERT",
  run: (options) =>
    withFloor({ profile: options.profile }, async ({ product, floor }) => {
      const accepting = acceptRun(product);
      await product.pauseWorkers(true);
      const [bare, accepted] = await compare([floorInsert(floor), accepting], options);
      await product.pauseWorkers(false);
      await drain(product.db);
      const settle = () => drain(product.db);
      const [together] = await compare([{ ...accepting, settle }], { ...options, rounds: 1 });
      if (!bare || !accepted || !together) throw new Error("nothing was measured");
      return [
        ...figuresOf(accepted, bare, ""),
        { figure: "accepted/s while a worker executes them", measured: together.perSecond },
      ];
    }),
};

/** Counts all of the contract's limits: each caller's window, each user's hour, and the workspace's month. */
export const acceptLimited: Benchmark = {
  summary: "P1 with every limit of the contract counted",
  run: (options) => {
    const env = { RUNS_PER_USER_PER_HOUR: "", REQUESTS_PER_WINDOW: "", RUNS_PER_MONTH: "1000000000" };
    return withFloor({ env, profile: options.profile }, async ({ product, floor }) => {
      const calls = WARM_UP_CALLS + options.rounds * options.seconds * RATE_MAX;
      const nextHeaders = await makeCallers(product, calls);
      const accepting = acceptRun(product);
      const shot = () => ({ ...accepting.shot(0), headers: nextHeaders() });
      await product.pauseWorkers(true);
      const [bare, accepted] = await compare([floorInsert(floor), { ...accepting, shot }], options);
      if (!bare || !accepted) throw new Error("nothing was measured");
      return figuresOf(accepted, bare, ", limits counted");
    });
  },
};

function figuresOf(accepted: LoadedResult, bare: LoadedResult, suffix: string): Figure[] {
  return [
    compareToFloor(
      `P1 accepted/s${suffix}`,
      { measured: accepted.perSecond, floor: bare.perSecond },
      { atLeast: 0.65 },
    ),
    { figure: `P1 p50 ms${suffix}`, measured: accepted.p50Ms, floor: bare.p50Ms, ratio: accepted.p50Ms / bare.p50Ms },
    compareToFloor(`P1 p99 ms${suffix}`, { measured: accepted.p99Ms, floor: bare.p99Ms }, { atMost: 2 }),
    cpuFigure(`accept${suffix}`, accepted, bare),
  ];
}
