import { setTimeout as sleep } from "node:timers/promises";

interface Plan {
  connections: number;
  over: AbortSignal;
  /** Ends the work after this many calls. */
  count?: number;
  /** The pause between two calls on a connection. */
  pauseMs?: number;
}

/**
 * Repeats `work` on a fixed number of connections until the attack is over. Each connection waits for its answer before
 * the next call.
 */
export async function inParallel(
  { connections, over, count = Number.POSITIVE_INFINITY, pauseMs = 0 }: Plan,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const connection = async () => {
    while (next < count && !over.aborted) {
      const index = next;
      next += 1;
      await work(index);
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: over }).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
}
