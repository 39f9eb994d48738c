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

export function countUnreadable({ unreadable }: Resealed, keyId: string): void {
  unreadable.set(keyId, (unreadable.get(keyId) ?? 0) + 1);
}
