import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { LIMITS } from "#lib/contract/limits";

/** How long one measurement is used: asking takes about 20 us. */
const FRESH_MS = 20;
/** The pause between two collections, and how many times as long as the last one it is at least. */
const COLLECT_MS = 5_000;
const COLLECT_SHARE = 20;

interface Memory {
  /** How much the process uses, with what nothing refers to anymore, in bytes. */
  measure(): number;
  /** Frees what nothing refers to anymore. */
  collect(): void;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
}

/**
 * Returns a function that reports whether a process uses so little memory that it may take more runs. Above the limit it
 * collects first: V8 leaves hundreds of megabytes of garbage in an idle process (measured: 320 MB, still there after
 * 45 s), and they would keep runs waiting for as long as the last ones wait for a response.
 */
export function watchMemory({ measure, collect, now }: Memory): () => boolean {
  let measuredAt = Number.NEGATIVE_INFINITY;
  let collectAt = Number.NEGATIVE_INFINITY;
  let isBelow = true;
  return () => {
    const startedAt = now();
    if (startedAt - measuredAt < FRESH_MS) return isBelow;
    isBelow = measure() < LIMITS.workerMemoryBytes;
    if (!isBelow && startedAt >= collectAt) {
      collect();
      collectAt = now() + Math.max(COLLECT_MS, COLLECT_SHARE * (now() - startedAt));
      isBelow = measure() < LIMITS.workerMemoryBytes;
    }
    measuredAt = now();
    return isBelow;
  };
}

/** Node has `gc` only where this flag is set before a context is made. */
function openCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  return typeof collect === "function" ? () => void collect() : () => {};
}

/** Reports whether this process may take more runs. */
export const hasMemory = watchMemory({
  measure: () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
  collect: openCollector(),
  now: () => performance.now(),
});
