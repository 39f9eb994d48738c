/** What became of the values of one place that were not sealed with the current key. */
export interface Resealed {
  resealed: number;
  /** By the id of their key, values that do not open: ENCRYPTION_KEYS lacks it, or they were damaged. They stay as they are. */
  unreadable: Map<string, number>;
}

/** The same, with the table, or "definitions". */
export interface PlaceResealed extends Resealed {
  place: string;
}

export function countUnreadable({ unreadable }: Resealed, keyId: string): void {
  unreadable.set(keyId, (unreadable.get(keyId) ?? 0) + 1);
}
