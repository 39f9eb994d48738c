import { compareToFloor, compareToNumber, type Figure } from "#bench/figures";
import { type Drained, drainBacklog, idealPerSecond, type QueueStage } from "#bench/load/drain-backlog";

/** The slugs of two actions that do the same work. Only the response that they wait for differs. */
export const LATE = "late";
export const AT_ONCE = "at-once";

interface Backlog {
  runs: number;
  latencyMs: number;
  late?: string;
}

/**
 * Drains a backlog of runs that wait for a late response. The floor is the rate that slots and CPU allow. The CPU's
 * limit is measured with the same runs and an immediate response.
 */
export async function measureWaits(
  stage: QueueStage,
  { runs, latencyMs, late = LATE, atOnce = AT_ONCE }: Backlog & { atOnce?: string },
): Promise<Figure[]> {
  const { perSecond: cpuPerSecond } = await drainBacklog(stage, atOnce, runs);
  const drained = await drainBacklog(stage, late, runs);
  const { perSecond, slots, taken } = drained;
  const floor = idealPerSecond(runs, { slots, latencyMs, cpuPerSecond });
  const ofSlots = (slots * 1_000) / latencyMs;
  return [
    compareToFloor(
      `P17 ${runs.toLocaleString("en")} queued runs, finished/s`,
      { measured: perSecond, floor },
      { atLeast: 0.9 },
    ),
    { figure: "  of slots / latency", measured: perSecond, floor: ofSlots, ratio: perSecond / ofSlots },
    { figure: "  the same with a response at once, finished/s", measured: cpuPerSecond },
    { figure: "  slots taken while runs wait", measured: taken, floor: slots, ratio: taken / slots },
    ...costFigures(drained),
  ];
}

/** Drains such a backlog with several workers whose limit is their slots, not the CPU. */
export async function measureSharing(
  stage: QueueStage,
  { runs, latencyMs, workers }: Backlog & { workers: number },
): Promise<Figure[]> {
  const drained = await drainBacklog(stage, LATE, runs);
  const { perSecond, slots, taken, shares, idleMs } = drained;
  const floor = idealPerSecond(runs, { slots, latencyMs, cpuPerSecond: Number.POSITIVE_INFINITY });
  const fewest = shares.length < workers ? 0 : (shares[0] ?? 0);
  return [
    compareToFloor(
      `P17 ${slots} slots of ${workers} workers, finished/s`,
      { measured: perSecond, floor },
      { atLeast: 0.9 },
    ),
    compareToFloor("P18 slots taken while runs wait", { measured: taken, floor: slots }, { atLeast: 0.97 }),
    compareToNumber("P18 the longest time without all slots taken, ms", idleMs, { atMost: 1_000 }),
    compareToFloor(
      "P17 the smallest share of a worker, of an even share",
      { measured: fewest, floor: 1 / workers },
      { atLeast: 0.9 },
    ),
    ...costFigures(drained),
  ];
}

const WARM_UP_RUNS = 200;

/** Drains a short backlog of each action, so that the action that is measured first has no disadvantage. */
export async function warmUpWaits(stage: QueueStage): Promise<void> {
  for (const slug of [AT_ONCE, LATE]) await drainBacklog(stage, slug, WARM_UP_RUNS);
}

export function costFigures({ cpuMs, cores }: Drained): Figure[] {
  return [
    { figure: "  CPU ms of a run: worker and Postgres", measured: cpuMs },
    { figure: "  cores that worker and Postgres use", measured: cores },
  ];
}
