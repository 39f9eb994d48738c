import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isCredentialName, redactNamed } from "#lib/core/redaction/redact-credentials";
import { isSecretName, REDACTED, redactText } from "#lib/core/redaction/redact-text";
import { isJsonObject, keepsKeyOrder, setOwn, storableJson } from "#lib/support/json";

const TRUNCATED_DEPTH = "[TRUNCATED_DEPTH]";
/** contract, Redaction: the minimum length of a value that counts as a secret because of its name. */
const SECRET_LENGTH = 16;

/**
 * Returns what the journal may contain of a payload (contract, Redaction; decisions, Redaction). Only texts change;
 * keys, numbers and booleans stay. The payload itself is level 0: a text, object or array on level 11 or deeper is
 * replaced, whatever it contains.
 * @param known what it returned for large values before
 * @returns the same reference if nothing had to change, so `sanitize(x) !== x` means "seal the original"
 */
export function sanitize<T>(value: T, known?: CleanValues): T {
  return sanitizeValue(value, 0, known) as T;
}

function sanitizeValue(value: unknown, depth: number, known: CleanValues | undefined): unknown {
  if (typeof value !== "string" && (typeof value !== "object" || value === null)) return value;
  if (depth > LIMITS.sanitizerDepth) return TRUNCATED_DEPTH;
  if (typeof value === "string") return cleanText(known, value, redactText);
  return cleanObject(known, value, depth + 1, sanitizeParts);
}

function sanitizeParts(value: object, depth: number, known: CleanValues | undefined): object {
  return Array.isArray(value) ? sanitizeArray(value, depth, known) : sanitizeObject(value as JsonObject, depth, known);
}

function sanitizeArray(items: unknown[], depth: number, known: CleanValues | undefined): unknown[] {
  let copy: unknown[] | null = null;
  for (let index = 0; index < items.length; index += 1) {
    const clean = sanitizeValue(items[index], depth, known);
    if (clean === items[index]) continue;
    copy ??= items.slice();
    copy[index] = clean;
  }
  return copy ?? items;
}

function sanitizeObject(object: JsonObject, depth: number, known: CleanValues | undefined): JsonObject {
  let copy: JsonObject | null = null;
  for (const key in object) {
    const value = object[key];
    const isSecret = typeof value === "string" && value.length >= SECRET_LENGTH && isSecretName(key);
    const clean = isSecret
      ? REDACTED
      : sanitizeValue(key === "headers" ? withoutSecretHeaders(value) : value, depth, known);
    if (clean === value) continue;
    copy ??= { ...object };
    setOwn(copy, key, clean);
  }
  return copy ?? object;
}

/**
 * Hides the values of headers whose name says that they are credentials, such as `set-cookie` and `authorization`. A cookie
 * has no form of its own by which the other rules could find it.
 */
function withoutSecretHeaders(headers: unknown): unknown {
  if (!isJsonObject(headers)) return headers;
  let copy: JsonObject | null = null;
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== "string" || value === "" || value === REDACTED || !isCredentialName(name)) continue;
    copy ??= { ...headers };
    setOwn(copy, name, redactNamed(name, value));
  }
  return copy ?? headers;
}

/** The input of a new run as JSON texts: a large one is written without being parsed again. */
export interface PreparedInput {
  /** Sanitized, as jsonb accepts it. */
  shown: string;
  /** Whether jsonb keeps the order of its keys. */
  keepsKeyOrder: boolean;
  /** The caller's own values, to be sealed; null if sanitizing changed nothing. */
  original: string | null;
}

/** Separates what the run shows from what must be sealed. */
export function prepareInput(input: JsonObject, clean = sanitize(input)): PreparedInput {
  return {
    shown: storableJson(clean),
    keepsKeyOrder: keepsKeyOrder(clean),
    original: clean === input ? null : JSON.stringify(input),
  };
}

/**
 * What large values became when they were cleaned. Steps pass the same value on, so a run cleans it once and not for each
 * event that contains it.
 */
export interface CleanValues {
  texts: Map<string, string>;
  objects: WeakMap<object, { depth: number; clean: object }>;
  /** The characters of the keys of `texts`: a text stays in memory as long as it is there. */
  characters: number;
  /** How many characters and objects were read. */
  read: number;
}

/** What the payloads of a run became, in the two steps of cleaning. */
export interface CleanPayloads {
  masked: CleanValues;
  sanitized: CleanValues;
}

/** Smaller values are cleaned in less time than they are found. */
const LARGE = 8_192;
const MAX_CHARACTERS = 4_194_304;

export function newCleanPayloads(): CleanPayloads {
  return { masked: newCleanValues(), sanitized: newCleanValues() };
}

function newCleanValues(): CleanValues {
  return { texts: new Map(), objects: new WeakMap(), characters: 0, read: 0 };
}

/** Cleans a text, or returns what the same text became before. */
export function cleanText(values: CleanValues | undefined, text: string, clean: (text: string) => string): string {
  if (!values) return clean(text);
  values.read += text.length;
  if (text.length < LARGE) return clean(text);
  const known = values.texts.get(text);
  if (known !== undefined) return known;
  const cleaned = clean(text);
  if (values.characters + text.length > MAX_CHARACTERS) {
    values.texts.clear();
    values.characters = 0;
  }
  values.texts.set(text, cleaned);
  values.characters += text.length;
  return cleaned;
}

/**
 * Cleans an object or an array, or returns what the same one became before.
 * @param depth what becomes of a value depends on how deep it is in the payload
 */
export function cleanObject(
  values: CleanValues | undefined,
  object: object,
  depth: number,
  clean: (object: object, depth: number, values: CleanValues | undefined) => object,
): object {
  if (!values) return clean(object, depth, values);
  const known = values.objects.get(object);
  if (known?.depth === depth) return known.clean;
  const before = values.read;
  values.read += 1;
  const cleaned = clean(object, depth, values);
  if (values.read - before >= LARGE) values.objects.set(object, { depth, clean: cleaned });
  return cleaned;
}
