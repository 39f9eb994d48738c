import { keepsKeyOrder, storableJson } from "#lib/support/json";

/** A large part of a payload, as JSON that jsonb accepts. */
export interface LargeValue {
  text: string;
  keepsKeyOrder: boolean;
  /** True if it contains U+FFFD as an escape, as in place of a character that jsonb refuses. */
  isAltered: boolean;
}

/** The JSON of a payload in pieces: texts, and its large values between them. */
export type JsonParts = (string | LargeValue)[];

/** The large values of several payloads. A value that is in two of them is serialized once. */
export interface LargeValues {
  texts: Map<string, LargeValue>;
  objects: WeakMap<object, LargeValue>;
  all: LargeValue[];
}

export function newLargeValues(): LargeValues {
  return { texts: new Map(), objects: new WeakMap(), all: [] };
}

export const LARGE_BYTES = 8_192;
/** What is passed on is usually a member of such an object: the body of a response, or a field. */
const MAX_DEPTH = 4;
const MAX_MEMBERS = 32;

/** Serializes a payload as `storableJson` does, in parts. */
export function jsonParts(value: unknown, known: LargeValues): JsonParts {
  const parts: JsonParts = [];
  addParts(parts, value, 0, known);
  return parts;
}

function addParts(parts: JsonParts, value: unknown, depth: number, known: LargeValues): void {
  const isText = typeof value === "string";
  const isObject = typeof value === "object" && value !== null;
  const found = isText && value.length >= LARGE_BYTES ? known.texts.get(value) : isObject && known.objects.get(value);
  if (found) return void parts.push(found);
  const inner: JsonParts = isObject && depth < MAX_DEPTH && isShort(value) ? membersOf(value, depth + 1, known) : [];
  if (inner.some((part) => typeof part !== "string")) return void parts.push(...inner);
  const text = inner.length > 0 ? inner.join("") : storableJson(value);
  if (text.length < LARGE_BYTES || !(isText || isObject)) return void parts.push(text);
  const large = { text, keepsKeyOrder: keepsKeyOrder(value, known.objects), isAltered: isAltered(text) };
  if (isText) known.texts.set(value, large);
  else known.objects.set(value, large);
  known.all.push(large);
  parts.push(large);
}

/** Returns whether `storableJson` replaced a character. An escape that was in the value counts, too. */
export function isAltered(text: string): boolean {
  return text.includes("\\ufffd");
}

function isShort(value: object): boolean {
  return Object.keys(value).length <= MAX_MEMBERS;
}

function membersOf(value: object, depth: number, known: LargeValues): JsonParts {
  const parts: JsonParts = [];
  const isList = Array.isArray(value);
  let before = isList ? "[" : "{";
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined && !isList) continue;
    parts.push(isList ? before : `${before}${storableJson(key)}:`);
    addParts(parts, item, depth, known);
    before = ",";
  }
  parts.push(before === "," ? (isList ? "]" : "}") : isList ? "[]" : "{}");
  return parts;
}
