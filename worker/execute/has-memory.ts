import { LIMITS } from "#lib/contract/limits";

/** How long one measurement is used: asking takes about 20 us. */
const FRESH_MS = 20;

let measuredAt = Number.NEGATIVE_INFINITY;
let isBelow = true;

/** Reports whether this process uses so little memory that it may take more runs. */
export function hasMemory(): boolean {
  const now = performance.now();
  if (now - measuredAt >= FRESH_MS) {
    const { heapUsed, external } = process.memoryUsage();
    isBelow = heapUsed + external < LIMITS.workerMemoryBytes;
    measuredAt = now;
  }
  return isBelow;
}
