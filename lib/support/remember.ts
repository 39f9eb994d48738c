/** Adds a value to a bounded in-process cache and evicts the oldest entry if it is full. */
export function remember<Key, Value>(memory: Map<Key, Value>, key: Key, value: Value, maxSize: number): void {
  memory.delete(key);
  memory.set(key, value);
  const oldest = memory.keys().next();
  if (memory.size > maxSize && !oldest.done) memory.delete(oldest.value);
}
