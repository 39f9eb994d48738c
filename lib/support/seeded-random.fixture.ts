export interface SeededRandom {
  /** Returns a number from 0 up to 1. */
  next(): number;
  /** Returns an integer from 0 up to `end`. */
  below(end: number): number;
  /** Returns one of the items. The list must not be empty. */
  pick<const T extends readonly unknown[]>(items: T): T[number];
  /** Returns random JSON whose leaves come from `leaf`. */
  json(leaf: () => unknown, maxDepth?: number): unknown;
}

/** Creates a random generator for tests. The same seed gives the same sequence (mulberry32). */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end: number) => Math.floor(next() * end);
  const json = (leaf: () => unknown, maxDepth = 4): unknown => {
    const kind = maxDepth === 0 ? 0 : below(4);
    if (kind === 2) return Array.from({ length: below(4) }, () => json(leaf, maxDepth - 1));
    if (kind !== 3) return leaf();
    const keys = ["a", "b", "name", "value", "__proto__", "constructor", "0", "", "access_token"];
    const entries = Array.from({ length: below(4) }, () => [keys[below(keys.length)], json(leaf, maxDepth - 1)]);
    return Object.fromEntries(entries);
  };
  return { next, below, json, pick: (items) => items[below(items.length)] };
}
