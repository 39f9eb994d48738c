import { LIMITS } from "#lib/contract/limits";

/** Returns the longest delay before a retry that doubles each time: min(60 s, first * 2^(n-1)). */
export function backoffCeilingMs(retry: number, firstMs: number): number {
  return Math.min(1_000 * LIMITS.retryWaitSecondsMax, firstMs * 2 ** (retry - 1));
}

/**
 * Returns the delay before a retry, with full jitter (decisions, Connectors).
 * @param retry 1 for the first retry
 * @param random a number from 0 up to 1
 * @returns whole milliseconds
 */
export function backoffMs(retry: number, firstMs: number, random: number): number {
  return Math.floor(random * backoffCeilingMs(retry, firstMs));
}
