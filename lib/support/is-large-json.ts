import { LIMITS } from "#lib/contract/limits";
import { leastJsonBytes } from "#lib/support/json";

/**
 * Returns true if a value is so large that work on all of it should have a turn of the event loop for itself. It reads
 * no more of the value than it needs to know.
 */
export function isLargeJson(value: unknown): boolean {
  return leastJsonBytes(value, LIMITS.inlineJsonBytes) >= LIMITS.inlineJsonBytes;
}
