/** Work that computes gets at least this share of a processor, unless other processes take it. */
const OWN_SHARE = 0.5;

/**
 * Returns true if work that only computes got too little of the processor: the machine was busy, or the process was
 * stopped. How long it took then says nothing about the work.
 */
export function isStarved({ elapsedMs, cpuMs }: { elapsedMs: number; cpuMs: number }): boolean {
  return cpuMs < elapsedMs * OWN_SHARE;
}
