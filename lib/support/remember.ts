/** Puts a value into a bounded in-process memory; what was put in longest ago goes first. */
export function remember<Key, Value>(memory: Map<Key, Value>, key: Key, value: Value, maxSize: number): void {
  memory.delete(key);
  memory.set(key, value);
  const oldest = memory.keys().next();
  if (memory.size > maxSize && !oldest.done) memory.delete(oldest.value);
}
