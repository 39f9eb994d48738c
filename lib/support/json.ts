import type { JsonObject, PropertyType } from "#lib/contract/wire/json-schema";

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns true if the JSON value has the JSON Schema type. */
export function fitsType(type: PropertyType, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isSafeInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

/** Sets an own property with any name. A plain assignment to `__proto__` would change the prototype instead. */
export function setOwn(target: JsonObject, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

/**
 * Returns true if objects and arrays are nested deeper than `maxDepth` levels (`{}` is one level, a string none). It
 * reads no deeper than that, so a hostile value cannot exhaust the stack.
 */
export function exceedsJsonDepth(value: unknown, maxDepth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (maxDepth === 0) return true;
  if (Array.isArray(value)) return value.some((item) => exceedsJsonDepth(item, maxDepth - 1));
  for (const key in value) if (exceedsJsonDepth(Reflect.get(value, key), maxDepth - 1)) return true;
  return false;
}

/** Subtracts the minimum size of each part from the budget; returns a negative number as soon as the budget is spent. */
function spendLeastBytes(value: unknown, budget: number): number {
  if (typeof value === "string") return budget - value.length - 2;
  if (typeof value !== "object" || value === null) return budget - 1;
  let left = budget - 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      left = spendLeastBytes(item, left);
      if (left < 0) return left;
    }
    return left;
  }
  for (const key in value) {
    left = spendLeastBytes(Reflect.get(value, key), left - key.length - 3);
    if (left < 0) return left;
  }
  return left;
}

/** Returns a lower bound of the value's size as JSON, which is close for text. Stops counting above `maxBytes`. */
export function leastJsonBytes(value: unknown, maxBytes: number): number {
  return maxBytes - spendLeastBytes(value, maxBytes);
}

/**
 * Serializes JSON with the keys of every object sorted, so that equal values produce equal text regardless of the order
 * of their keys. Idempotency uses it to compare payloads, and publishing to compare definitions. The value must not be
 * nested deeper than the call stack: check `exceedsJsonDepth` first.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`);
  return `{${members.join(",")}}`;
}

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

/** Returns text that PostgreSQL accepts: the only character it refuses, U+0000, becomes U+FFFD. */
export function storableText(text: string): string {
  return text.replaceAll("\u0000", "\ufffd");
}
