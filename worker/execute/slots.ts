import type { Clock } from "#lib/core/engine/ports";
import { realClock } from "#worker/execute/real-clock";

/** The place of one run on this worker. */
export interface Slot {
  /** Counts the run as waiting until the promise settles. */
  whileWaiting<T>(wait: Promise<T>): Promise<T>;
  /**
   * Counts the run as working although it waits, because its turn at this machine's processors comes soon: until the
   * returned function is called, and for at most TURN_MS.
   */
  expectTurn(): () => void;
  /** The run has left the worker. */
  leave(): void;
}

export interface Slots {
  /** How many runs the worker may take now. */
  room(): number;
  /** How many runs the worker executes. */
  held(): number;
  take(): Slot;
}

interface SlotsOptions {
  /** How many runs the worker executes at once. */
  ceiling: number;
  /** How many of them may use this process at once, instead of waiting for a response, a commit, a sandbox or a retry. */
  workingMax(): number;
  /** Called when a run starts to wait or leaves: there may be room for another. */
  onRoom(hasLeft: boolean): void;
}

/**
 * Short code waits a few milliseconds for its turn in the sandbox. A worker that took more runs meanwhile would keep them
 * from workers whose sandbox is idle, and each would wait so long that it must be claimed. Code that waits longer is
 * behind slow code, and must not keep runs of other kinds out.
 */
const TURN_MS = 100;

/**
 * Counts the runs of a worker. A run that waits costs memory, and one that works costs CPU, so there may be many of the
 * first and few of the second. With more working at once, each takes longer and none ends sooner: a run of pure steps
 * that takes more than 100 ms must be claimed, which costs another write.
 */
export function openSlots({ ceiling, workingMax, onRoom }: SlotsOptions): Slots {
  let held = 0;
  let waiting = 0;

  function take(): Slot {
    let waits = 0;
    let expected = 0;
    let isHere = true;
    let isCounted = false;
    held += 1;
    const count = () => {
      const isWaiting = isHere && waits > 0 && expected === 0;
      if (isWaiting === isCounted) return;
      isCounted = isWaiting;
      waiting += isWaiting ? 1 : -1;
      if (isWaiting) onRoom(false);
    };
    return {
      whileWaiting: async (wait) => {
        waits += 1;
        count();
        try {
          return await wait;
        } finally {
          waits -= 1;
          count();
        }
      },
      expectTurn: () => {
        expected += 1;
        count();
        let isOver = false;
        const end = () => {
          if (isOver) return;
          isOver = true;
          clearTimeout(timer);
          expected -= 1;
          count();
        };
        const timer = setTimeout(end, TURN_MS);
        return end;
      },
      leave: () => {
        isHere = false;
        held -= 1;
        // A branch that was abandoned may still be waiting.
        count();
        onRoom(true);
      },
    };
  }

  return {
    room: () => Math.max(0, Math.min(ceiling - held, workingMax() - (held - waiting))),
    held: () => held,
    take,
  };
}

/**
 * The engine's clock for one run. Every attempt with a time limit sleeps until the limit next to its work, and such work
 * waits outside this process: for a response, a sandbox, a mail server. The same goes for the pause before a retry. So
 * the run waits while it sleeps.
 */
export function clockOf(slot: Slot): Clock {
  return { ...realClock, sleep: (ms, signal) => slot.whileWaiting(realClock.sleep(ms, signal)) };
}
