export interface SeededRandom {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number from 0 up to `end`. */
  below(end: number): number;
  /** One of the items, of which there is at least one. */
  pick<const T extends readonly unknown[]>(items: T): T[number];
  /** Any JSON, the leaves being what `leaf` gives. */
  json(leaf: () => unknown, maxDepth?: number): unknown;
}

/** The same draws for the same seed (mulberry32): what randomized tests are made of. */
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
