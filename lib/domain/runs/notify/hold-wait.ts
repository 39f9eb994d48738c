import { LIMITS } from "#lib/contract/limits";

const held = new Map<string, number>();

/**
 * Takes one of the places in which a caller may wait for runs in this process.
 * @returns a function that releases the place, or null if all places of the caller are taken
 */
export function holdWait(callerId: string): (() => void) | null {
  const taken = held.get(callerId) ?? 0;
  if (taken >= LIMITS.waitsPerKey) return null;
  held.set(callerId, taken + 1);
  return () => {
    const left = (held.get(callerId) ?? 1) - 1;
    if (left === 0) held.delete(callerId);
    else held.set(callerId, left);
  };
}
