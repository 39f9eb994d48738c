/** U+0000 and lone surrogates. They are valid in JSON and JavaScript, but PostgreSQL refuses them in jsonb. */
const SUSPECT = /\\u(?:0000|d[89a-f])/;
const ESCAPE = /\\(?:u[0-9a-f]{4}|.)/g;
const UNSTORABLE = /^\\u(?:0000|d[89a-f][0-9a-f]{2})$/;

/**
 * Returns JSON text that jsonb accepts; characters it refuses become U+FFFD. JSON.stringify escapes only lone
 * surrogates (pairs stay characters), so every escaped surrogate is unstorable. Escapes are read from left to right so
 * that `\\u0000` (a backslash and letters) stays as it is.
 * @throws RangeError if the value is nested too deeply to be serialized
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  if (!SUSPECT.test(text)) return text;
  return text.replace(ESCAPE, (sequence) => (UNSTORABLE.test(sequence) ? "\\ufffd" : sequence));
}

const OUTSIDE_ASCII = /[^\0-\x7f]/;

/**
 * Returns whether jsonb keeps the order of all keys in a value. jsonb sorts the keys of each object by their length in
 * bytes, and keys of the same length by their bytes. An object with a key outside ASCII counts as not sorted.
 * @param known parts of the value that are known already
 */
export function keepsKeyOrder(value: unknown, known?: WeakMap<object, { keepsKeyOrder: boolean }>): boolean {
  const left = [value];
  while (left.length > 0) {
    const item = left.pop();
    if (typeof item !== "object" || item === null) continue;
    const part = known?.get(item);
    if (part?.keepsKeyOrder) continue;
    if (part) return false;
    if (!Array.isArray(item) && !isSorted(Object.keys(item))) return false;
    for (const inner of Object.values(item)) if (typeof inner === "object") left.push(inner);
  }
  return true;
}

function isSorted(keys: readonly string[]): boolean {
  let last: string | null = null;
  for (const key of keys) {
    if (OUTSIDE_ASCII.test(key)) return false;
    if (last !== null && (key.length < last.length || (key.length === last.length && key < last))) return false;
    last = key;
  }
  return true;
}
