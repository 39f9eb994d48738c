import { gunzipSync } from "node:zlib";
import { type BuildFinding, BuildRefused, toFinding } from "#lib/connectors/custom/custom-definition";
import { convertSwagger } from "#lib/connectors/custom/document/convert-swagger";
import { parseYaml, YamlFault } from "#lib/connectors/custom/document/parse-yaml";
import { BUILD_LIMITS } from "#lib/contract/connector/connector";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { parseKeepingDigits } from "#lib/support/exact-json";
import { isJsonObject } from "#lib/support/json";

const DEPTH_MAX = 100;
/** The largest published documents have about 800,000. */
const VALUES_MAX = 3_000_000;
const MEBIBYTE = 1_048_576;
const LONG_DIGITS = /\d{16}/;
const LONG_NUMBER = /^[+-]?\d{16,400}(?:\.\d+)?$/;
const BOUNDS: ReadonlySet<string> = new Set("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split(" "));

export interface ParsedDocument {
  /** In the form of OpenAPI 3, whatever its version is. */
  document: JsonObject;
  /** As its publisher would name it, such as `OpenAPI 3.1`. */
  format: string;
  /** The source text; null if the document was given as an object. */
  text: string | null;
  /** What of the text does not count. */
  faults: BuildFinding[];
}

interface ParsedText {
  value: unknown;
  faults: BuildFinding[];
}

/**
 * Parses an OpenAPI document from an object, from JSON or YAML text, or from the bytes of such a text, which can be
 * compressed with gzip.
 * @throws BuildRefused if it is too large, too deeply nested, not a document, or of an unsupported version
 */
export function parseDocument(given: unknown): ParsedDocument {
  const text = given instanceof Uint8Array ? decode(given) : typeof given === "string" ? withoutMark(given) : null;
  const { value: document, faults } = text === null ? { value: given, faults: [] } : parseText(text);
  if (text !== null && LONG_DIGITS.test(text)) restoreBounds(document);
  assertBounded(document);
  if (!isJsonObject(document))
    throw new BuildRefused("", "not_openapi", "This is a single value, not an OpenAPI document.");
  return { ...readVersion(document), text, faults };
}

function readVersion(document: JsonObject): Pick<ParsedDocument, "document" | "format"> {
  const { swagger } = document;
  // YAML reads an unquoted 3.0 as a number.
  const openapi = document.openapi === 3 ? "3.0" : document.openapi;
  const version = String(openapi ?? swagger).slice(0, 20);
  if (openapi !== undefined && /^3\.[0-2](\.|$)/.test(version)) {
    return { document, format: `OpenAPI ${version.slice(0, 3)}` };
  }
  // YAML reads an unquoted 2.0 as a number.
  if (openapi === undefined && /^2(\.0)?$/.test(version)) {
    return { document: convertSwagger(document), format: "Swagger 2.0" };
  }
  const message =
    openapi === undefined && swagger === undefined
      ? "This is not an OpenAPI document: its openapi field is missing."
      : `OpenAPI ${version} is not supported. Use 3.0 to 3.2, or Swagger 2.0.`;
  throw new BuildRefused(openapi === undefined ? "/swagger" : "/openapi", "unsupported_version", message);
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return decodeText(bytes);
  try {
    return decodeText(gunzipSync(bytes, { maxOutputLength: BUILD_LIMITS.documentBytes }));
  } catch (cause) {
    if ((cause as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new BuildRefused("", "unreadable", "The file is compressed with gzip, but it is damaged.");
  }
}

/** A byte order mark names the encoding (YAML 1.2, 5.2). Without one, it is UTF-8. */
function decodeText(bytes: Uint8Array): string {
  const mark = `${bytes[0]} ${bytes[1]}`;
  return new TextDecoder(mark === "255 254" ? "utf-16le" : mark === "254 255" ? "utf-16be" : "utf-8").decode(bytes);
}

function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function parseText(text: string): ParsedText {
  if (Buffer.byteLength(text) > BUILD_LIMITS.documentBytes) throw tooLarge();
  try {
    return /^\s*[[{]/.test(text) ? parseJsonOrYaml(text) : readYaml(text);
  } catch (cause) {
    if (cause instanceof BuildRefused) throw cause;
    if (cause instanceof RangeError) throw tooDeep();
    const { line, column } = cause instanceof YamlFault ? cause : { line: null, column: null };
    const reason = (cause as Error).message.slice(0, 200);
    const refused = new BuildRefused("", "unreadable", `The document isn't valid JSON or YAML: ${reason}`);
    if (line !== null && column !== null) Object.assign(refused.finding, { line, column });
    throw refused;
  }
}

/** A YAML flow mapping starts like JSON. */
function parseJsonOrYaml(text: string): ParsedText {
  try {
    return { value: parseKeepingDigits(text), faults: [] };
  } catch {
    // YAML would read a comment of JavaScript as a part of the next key.
    const comment = findJsonComment(text);
    if (comment === null) return readYaml(text);
    const refused = new BuildRefused("", "unreadable", "JSON can't contain comments. Remove them, or send YAML.");
    Object.assign(refused.finding, comment);
    throw refused;
  }
}

function readYaml(text: string): ParsedText {
  const { value, repeated } = parseYaml(text);
  if (repeated === null) return { value, faults: [] };
  const message =
    "A key is written twice in one mapping. The last one counts, and what is under the others was left out.";
  const { line, column } = repeated;
  const place = line === null || column === null ? {} : { line, column };
  return { value, faults: [{ ...toFinding("left_out", "", "repeated_key", message), ...place }] };
}

/**
 * Makes the bounds of a schema numbers again, such as those of an int64. A value beyond 2^53 is a text, which no bound
 * applies to, so that a rounded one is as good; any other text with long digits is an id, a default or an example.
 */
function restoreBounds(document: unknown): void {
  const seen = new Set<unknown>();
  const open = [document];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    for (const [key, value] of Object.entries(next)) {
      if (BOUNDS.has(key) && typeof value === "string" && LONG_NUMBER.test(value))
        Reflect.set(next, key, Number(value));
      else if (typeof value === "object") open.push(value);
    }
  }
}

/** Counts an alias every time it is used, so a bomb costs as much as what it unfolds to. */
function assertBounded(document: unknown): void {
  let left = VALUES_MAX;
  const open: [unknown, number][] = [[document, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next;
    if (typeof value !== "object" || value === null) continue;
    if (depth > DEPTH_MAX) throw tooDeep();
    const items = Object.values(value);
    left -= items.length + 1;
    if (left < 0) throw new BuildRefused("", "too_large", `The document contains more than ${VALUES_MAX} values.`);
    for (const item of items) if (typeof item === "object") open.push([item, depth + 1]);
  }
}

function tooDeep(): BuildRefused {
  return new BuildRefused("", "too_deep", `The document is nested more than ${DEPTH_MAX} levels deep.`);
}

function tooLarge(): BuildRefused {
  const message = `The document is larger than ${BUILD_LIMITS.documentBytes / MEBIBYTE} MiB.`;
  return new BuildRefused("", "too_large", message);
}

/** A JSON object or list: a quoted name, another bracket, or a comment comes first. */
const JSON_START = /^\s*[[{]\s*(?:["[{]|\/[/*])/;
/** What can come before a comment: not a colon, which comes before the slashes of a URL in YAML. */
const BEFORE = /[\s,[\]{}]/;

/**
 * Finds the first comment in a text that is JSON otherwise.
 * @returns its place, from 1; null if there is none
 */
function findJsonComment(text: string): { line: number; column: number } | null {
  if (!JSON_START.test(text)) return null;
  let [line, lineStart] = [1, 0];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\n") {
      line += 1;
      lineStart = at + 1;
    } else if (character === '"') {
      at = endOfText(text, at);
    } else if (character === "/" && /[/*]/.test(text[at + 1] ?? "") && BEFORE.test(text[at - 1] ?? " ")) {
      return { line, column: at - lineStart + 1 };
    }
  }
  return null;
}

/** JSON texts end on their line. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
    else if (text[at] === "\n") return at - 1;
  }
  return text.length;
}
