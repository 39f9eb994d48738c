import { LIMITS } from "#lib/contract/limits";

/**
 * Returns the delay before a retry: full jitter over min(30 s, 1 s * 2^(n-1)) (decisions, Connectors).
 * @param retry 1 for the first retry
 * @param random a number from 0 up to 1
 * @returns whole milliseconds
 */
export function backoffMs(retry: number, random: number): number {
  const ceilingMs = Math.min(LIMITS.backoffMaxMs, LIMITS.backoffBaseMs * 2 ** (retry - 1));
  return Math.floor(random * ceilingMs);
}
