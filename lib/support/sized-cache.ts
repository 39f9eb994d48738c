/** An in-process cache whose entries together stay below a number of bytes. The least recently used leave first. */
export interface SizedCache<Key, Value> {
  get(key: Key): Value | undefined;
  /** Adds an entry with its size. One that is larger than the whole cache is not kept. */
  set(key: Key, value: Value, bytes: number): void;
  /** The sizes of all entries together. */
  readonly bytes: number;
}

export function sizedCache<Key, Value>(maxBytes: number): SizedCache<Key, Value> {
  const entries = new Map<Key, { value: Value; bytes: number }>();
  let total = 0;
  const drop = (key: Key) => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get bytes() {
      return total;
    },
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, bytes) {
      drop(key);
      if (bytes > maxBytes) return;
      entries.set(key, { value, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) break;
        drop(oldest);
      }
    },
  };
}

/** Adds a value to a bounded in-process cache and evicts the oldest entry if it is full. */
export function remember<Key, Value>(memory: Map<Key, Value>, key: Key, value: Value, maxSize: number): void {
  memory.delete(key);
  memory.set(key, value);
  const oldest = memory.keys().next();
  if (memory.size > maxSize && !oldest.done) memory.delete(oldest.value);
}
