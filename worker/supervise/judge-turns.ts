/** What the main thread has done so far. */
export interface MainThread {
  /** Changes whenever its event loop completes a turn. */
  turns: number;
  cpuMs: number;
  /** True if it computes, or waits for nothing but a processor. */
  isRunnable: boolean;
}

/** How many ticks pass between two turns that are counted, and between two checks at rest. */
export const REST_TICKS = 5;

export interface StuckLimits {
  /** The CPU time that one turn may take. */
  cpuMs: number;
  /** How many checks in a row may find that the thread neither computes nor wants to. */
  idleChecks: number;
}

/**
 * Returns a function that is called at each check, and returns true if the event loop will not turn again. The clock on
 * the wall does not count: a thread that gets no processor is late, and no other process would do better.
 */
export function judgeTurns({ cpuMs, idleChecks }: StuckLimits): (seen: MainThread) => boolean {
  let turned: MainThread | null = null;
  let lastCpuMs = 0;
  let idle = 0;
  return (seen) => {
    if (seen.turns !== turned?.turns) turned = seen;
    // A due timer makes a waiting loop runnable, so a thread that stays idle waits inside of a turn: for a lock or a file.
    const isIdle = turned !== seen && !seen.isRunnable && seen.cpuMs === lastCpuMs;
    idle = isIdle ? idle + 1 : 0;
    lastCpuMs = seen.cpuMs;
    return seen.cpuMs - turned.cpuMs >= cpuMs || idle >= idleChecks;
  };
}
