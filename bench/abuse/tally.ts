/** Counts answers by their description: "200", "429 RATE_LIMIT_EXCEEDED", "no answer". */
export interface Tally {
  add(what: string): void;
  count(matches: (what: string) => boolean): number;
  /** Lists the counts, the most frequent answer first. */
  entries(): [what: string, count: number][];
}

export const NO_ANSWER = "no answer";

export function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    add: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    count: (matches) => [...counts].reduce((sum, [what, count]) => sum + (matches(what) ? count : 0), 0),
    entries: () => [...counts].toSorted(([, left], [, right]) => right - left),
  };
}

/** Returns true for an answer that blames the server. */
export function isServerFault(what: string): boolean {
  return what.startsWith("5") && !what.startsWith("503");
}
