import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { LIMITS } from "#lib/contract/limits";

/** How long one measurement is used: asking takes about 20 us. */
const FRESH_MS = 20;
/** The pause between two collections, and how many times as long as the last one it is at least. */
const COLLECT_MS = 5_000;
const COLLECT_SHARE = 20;

/**
 * How many more runs a process has memory for: any; `few`, the first ones of other workspaces; or none.
 */
export type MemoryLeft = "enough" | "few" | "none";

interface Memory {
  /** How much the process uses, with what nothing refers to anymore, in bytes. */
  measure(): number;
  /** Frees what nothing refers to anymore. */
  collect(): void;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
}

/**
 * Returns a function that reports for how many more runs a process has memory. Above the first limit it collects first:
 * V8 leaves hundreds of megabytes of garbage in an idle process (measured: 320 MB, still there after 45 s), and they
 * would keep runs waiting for as long as the last ones wait for a response.
 */
export function watchMemory({ measure, collect, now }: Memory): () => MemoryLeft {
  let measuredAt = Number.NEGATIVE_INFINITY;
  let collectAt = Number.NEGATIVE_INFINITY;
  let left: MemoryLeft = "enough";
  return () => {
    const startedAt = now();
    if (startedAt - measuredAt < FRESH_MS) return left;
    left = leftAt(measure());
    if (left !== "enough" && startedAt >= collectAt) {
      collect();
      collectAt = now() + Math.max(COLLECT_MS, COLLECT_SHARE * (now() - startedAt));
      left = leftAt(measure());
    }
    measuredAt = now();
    return left;
  };
}

function leftAt(usedBytes: number): MemoryLeft {
  if (usedBytes < LIMITS.workerMemoryBytes) return "enough";
  return usedBytes < LIMITS.workerMemoryMaxBytes ? "few" : "none";
}

/** Node has `gc` only where this flag is set before a context is made. */
function openCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  return typeof collect === "function" ? () => void collect() : () => {};
}

/** Reports for how many more runs this process has memory. */
export const measureMemory = watchMemory({
  measure: () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
  collect: openCollector(),
  now: () => performance.now(),
});
