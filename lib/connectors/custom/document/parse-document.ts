import { gunzipSync } from "node:zlib";
import { BuildRefused } from "#lib/connectors/custom/custom-definition";
import { convertSwagger } from "#lib/connectors/custom/document/convert-swagger";
import { parseYaml, YamlFault } from "#lib/connectors/custom/document/parse-yaml";
import { BUILD_LIMITS } from "#lib/contract/connector";
import type { JsonObject } from "#lib/contract/json-schema";
import { isJsonObject } from "#lib/support/json";

const DEPTH_MAX = 100;
/** The largest published documents have about 800,000. */
const VALUES_MAX = 3_000_000;
const MEBIBYTE = 1_048_576;

export interface ParsedDocument {
  /** In the form of OpenAPI 3, whatever its version is. */
  document: JsonObject;
  /** As its publisher would name it, such as `OpenAPI 3.1`. */
  format: string;
  /** The source text; null if the document was given as an object. */
  text: string | null;
}

/**
 * Parses an OpenAPI document from an object, from JSON or YAML text, or from the bytes of such a text, which can be
 * compressed with gzip.
 * @throws BuildRefused if it is too large, too deeply nested, not a document, or of an unsupported version
 */
export function parseDocument(given: unknown): ParsedDocument {
  const text = given instanceof Uint8Array ? decode(given) : typeof given === "string" ? given : null;
  const document = text === null ? given : parseText(text);
  assertBounded(document);
  if (!isJsonObject(document))
    throw new BuildRefused("", "not_openapi", "This is a single value, not an OpenAPI document.");
  return { ...readVersion(document), text };
}

function readVersion(document: JsonObject): Omit<ParsedDocument, "text"> {
  const { openapi, swagger } = document;
  const version = String(openapi ?? swagger).slice(0, 20);
  if (openapi !== undefined && /^3\.[01](\.|$)/.test(version)) {
    return { document, format: `OpenAPI ${version.slice(0, 3)}` };
  }
  // YAML reads an unquoted 2.0 as a number.
  if (openapi === undefined && /^2(\.0)?$/.test(version)) {
    return { document: convertSwagger(document), format: "Swagger 2.0" };
  }
  const message =
    openapi === undefined && swagger === undefined
      ? "This is not an OpenAPI document: its openapi field is missing."
      : `OpenAPI ${version} is not supported. Use 3.0 or 3.1, or Swagger 2.0.`;
  throw new BuildRefused(openapi === undefined ? "/swagger" : "/openapi", "unsupported_version", message);
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return new TextDecoder().decode(bytes);
  try {
    return new TextDecoder().decode(gunzipSync(bytes, { maxOutputLength: BUILD_LIMITS.documentBytes }));
  } catch (cause) {
    if ((cause as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new BuildRefused("", "unreadable", "The file is compressed with gzip, but it is damaged.");
  }
}

function parseText(text: string): unknown {
  if (Buffer.byteLength(text) > BUILD_LIMITS.documentBytes) throw tooLarge();
  try {
    return /^\s*[[{]/.test(text) ? parseJsonOrYaml(text) : parseYaml(text);
  } catch (cause) {
    if (cause instanceof RangeError) throw tooDeep();
    const { line, column } = cause instanceof YamlFault ? cause : { line: null, column: null };
    const reason = (cause as Error).message.slice(0, 200);
    const refused = new BuildRefused("", "unreadable", `The document isn't valid JSON or YAML: ${reason}`);
    if (line !== null && column !== null) Object.assign(refused.finding, { line, column });
    throw refused;
  }
}

/** A YAML flow mapping starts like JSON. */
function parseJsonOrYaml(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseYaml(text);
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
