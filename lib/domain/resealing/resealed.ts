/** The result for the values of one place that were not sealed with the current key. */
export interface Resealed {
  resealed: number;
  /**
   * Numbers of values that cannot be decrypted, by the id of their key: ENCRYPTION_KEYS lacks it, or they were damaged.
   * They are left unchanged.
   */
  unreadable: Map<string, number>;
}

/** The same, with the name of the table, or "definitions". */
export interface PlaceResealed extends Resealed {
  place: string;
}

/** The result for values that were only decrypted. */
export interface Opened extends Pick<Resealed, "unreadable"> {
  readable: number;
}

export interface PlaceOpened extends Opened {
  place: string;
}

export function countUnreadable({ unreadable }: Pick<Resealed, "unreadable">, keyId: string): void {
  unreadable.set(keyId, (unreadable.get(keyId) ?? 0) + 1);
}

export function countAllUnreadable({ unreadable }: Pick<Resealed, "unreadable">): number {
  return [...unreadable.values()].reduce((sum, count) => sum + count, 0);
}

/** Adds up the counts of each place, and leaves out those with nothing. A table may have several columns. */
export function countByPlace<Place extends { place: string }>(
  places: readonly Place[],
  count: (place: Place) => number,
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const one of places) sums[one.place] = (sums[one.place] ?? 0) + count(one);
  return Object.fromEntries(Object.entries(sums).filter(([, found]) => found > 0));
}
