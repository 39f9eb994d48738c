import { LIMITS } from "#lib/contract/limits";

/** How long turns are observed before the pace changes. One long turn in it changes nothing. */
const PERIOD_MS = 1_000;

export interface Pace {
  /** How many runs may use the process at once. */
  workingMax(): number;
  /**
   * Notes a turn of the event loop.
   * @param delayMs how late it was
   * @param cpuMs what the process computed since the last one
   */
  note(delayMs: number, cpuMs: number): void;
}

interface PaceOptions {
  /** How many runs may use the process while its event loop is punctual. */
  most: number;
  /** Called when there may be room for more runs. */
  onMore(): void;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
}

/**
 * Adapts how many runs use the process at once to its event loop: half as many after each second in which its turns were
 * late on average, one more after each second in which they were not, and as many between the two limits. Only the time in
 * which this process computed counts as late, because fewer runs do not help against other programs on the machine.
 */
export function paceWork({ most, onMore, now }: PaceOptions): Pace {
  let current = most;
  let startedAt = now();
  let turns = 0;
  let lateMs = 0;
  return {
    workingMax: () => current,
    note: (delayMs, cpuMs) => {
      turns += 1;
      lateMs += Math.min(delayMs, cpuMs);
      const periods = Math.floor((now() - startedAt) / PERIOD_MS);
      if (periods < 1) return;
      const averageMs = lateMs / turns;
      const before = current;
      if (averageMs > LIMITS.workerLateMs) current = Math.max(1, Math.floor(current / 2));
      else if (averageMs < LIMITS.workerPunctualMs) current = Math.min(most, current + periods);
      startedAt = now();
      turns = 0;
      lateMs = 0;
      if (current > before) onMore();
    },
  };
}
