/** What was measured of large values. A value that is passed on is then measured once, but must not change. */
export interface KnownSizes {
  objects: WeakMap<object, { bytes: number; depth: number }>;
  /** A text stays in memory as long as it is here. */
  texts: Map<string, number>;
  /** The size of what was known already, together. */
  repeatedBytes: number;
}

export function newKnownSizes(): KnownSizes {
  return { objects: new WeakMap(), texts: new Map(), repeatedBytes: 0 };
}

interface JsonBounds {
  maxBytes: number;
  maxDepth: number;
  known?: KnownSizes | undefined;
}

interface Measuring extends JsonBounds {
  bytes: number;
  isTooDeep: boolean;
}

/** Smaller values are measured in less time than they are remembered. */
const KNOWN_BYTES = 8_192;

/**
 * Returns the size of a value as UTF-8 JSON, unless it exceeds a bound. It counts without serializing: the copies of 1 MiB
 * would cost more than the counting, most of it in the garbage collector. A value that repeats a large one by reference (a
 * template that names it a thousand times) is refused after as many bytes as are allowed, and a hostile depth cannot exhaust
 * the stack.
 */
export function measureJson(value: unknown, bounds: JsonBounds): number | "too_deep" | "too_large" {
  const measuring = { ...bounds, bytes: 0, isTooDeep: false };
  measure(value, bounds.maxDepth, measuring);
  if (measuring.isTooDeep) return "too_deep";
  return measuring.bytes > bounds.maxBytes ? "too_large" : measuring.bytes;
}

/** Returns true if a value takes more than `maxBytes` as UTF-8 JSON. It reads no more of the value than it needs to know. */
export function exceedsJsonBytes(value: unknown, maxBytes: number): boolean {
  return measureJson(value, { maxBytes, maxDepth: Number.POSITIVE_INFINITY }) === "too_large";
}

/** @returns how deep the value is nested */
function measure(value: unknown, maxDepth: number, measuring: Measuring): number {
  if (typeof value === "string") measuring.bytes += measureText(value, measuring);
  else if (typeof value !== "object" || value === null) measuring.bytes += scalarBytes(value);
  else return measureParts(value, maxDepth, measuring);
  return 0;
}

function measureText(text: string, { known, bytes, maxBytes }: Measuring): number {
  if (!known || text.length < KNOWN_BYTES) return textBytes(text, maxBytes - bytes);
  const before = known.texts.get(text);
  if (before !== undefined) {
    known.repeatedBytes += before;
    return before;
  }
  const size = textBytes(text, maxBytes - bytes);
  if (size <= maxBytes - bytes) known.texts.set(text, size);
  return size;
}

function measureParts(value: object, maxDepth: number, measuring: Measuring): number {
  const known = measuring.known?.objects.get(value);
  if ((known?.depth ?? 1) > maxDepth) measuring.isTooDeep = true;
  if (known && measuring.known) {
    measuring.bytes += known.bytes;
    measuring.known.repeatedBytes += known.bytes;
  }
  if (known || isOver(measuring)) return known?.depth ?? 1;
  const before = measuring.bytes;
  measuring.bytes += 1;
  const inner = Array.isArray(value)
    ? measureItems(value, maxDepth, measuring)
    : measureMembers(value, maxDepth, measuring);
  if (measuring.bytes === before + 1) measuring.bytes += 1;
  const bytes = measuring.bytes - before;
  if (bytes >= KNOWN_BYTES && !isOver(measuring)) measuring.known?.objects.set(value, { bytes, depth: inner + 1 });
  return inner + 1;
}

/** Each item is followed by a comma or the closing bracket. */
function measureItems(items: readonly unknown[], maxDepth: number, measuring: Measuring): number {
  let depth = 0;
  for (const item of items) {
    depth = Math.max(depth, measure(item, maxDepth - 1, measuring));
    measuring.bytes += 1;
    if (isOver(measuring)) break;
  }
  return depth;
}

function measureMembers(object: object, maxDepth: number, measuring: Measuring): number {
  let depth = 0;
  for (const key in object) {
    const item: unknown = Reflect.get(object, key);
    if (item === undefined) continue;
    measuring.bytes += textBytes(key, measuring.maxBytes) + 2;
    depth = Math.max(depth, measure(item, maxDepth - 1, measuring));
    if (isOver(measuring)) break;
  }
  return depth;
}

function isOver({ bytes, maxBytes, isTooDeep }: Measuring): boolean {
  return isTooDeep || bytes > maxBytes;
}

function scalarBytes(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return String(value).length;
  return value === false ? 5 : 4;
}

/** Characters that take another number of bytes than one. */
const NOT_PLAIN = /[^ !#-[\]-~]/;

/** @param room a longer text is not read, because it is too long in any case */
function textBytes(text: string, room: number): number {
  if (text.length > room || !NOT_PLAIN.test(text)) return text.length + 2;
  let bytes = text.length + 2;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 32 || code > 127 || code === 34 || code === 92) bytes += moreBytes(text, at, code);
  }
  return bytes;
}

/** Returns how many bytes more than one a code unit takes in JSON, if it is not plain. */
function moreBytes(text: string, at: number, code: number): number {
  if (code < 32) return code === 8 || code === 9 || code === 10 || code === 12 || code === 13 ? 1 : 5;
  if (code < 2_048) return 1;
  // Each half of a pair takes two bytes; alone, it is escaped.
  if (code < 0xd8_00 || code > 0xdf_ff) return 2;
  const pair = code < 0xdc_00 ? text.charCodeAt(at + 1) : text.charCodeAt(at - 1);
  const isPair = code < 0xdc_00 ? pair >= 0xdc_00 && pair <= 0xdf_ff : pair >= 0xd8_00 && pair <= 0xdb_ff;
  return isPair ? 1 : 5;
}
