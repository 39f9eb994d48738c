import { BuildRefused } from "#lib/connectors/custom/custom-definition";
import { parseYaml } from "#lib/connectors/custom/parse-yaml";
import { BUILD_LIMITS } from "#lib/contract/connector";
import type { JsonObject } from "#lib/contract/json-schema";
import { isJsonObject } from "#lib/support/json";

const DEPTH_MAX = 64;
const VALUES_MAX = 400_000;

/**
 * Parses an OpenAPI document from an object, or from JSON or YAML text.
 * @throws BuildRefused if it is too large, too deeply nested, not a document, or of an unsupported version
 */
export function parseDocument(given: unknown): JsonObject {
  const document = typeof given === "string" ? parseText(given) : given;
  assertBounded(document);
  if (!isJsonObject(document))
    throw new BuildRefused("", "not_openapi", "This is a single value, not an OpenAPI document.");
  const version = document.openapi;
  if (document.swagger !== undefined) {
    const message =
      "This is a Swagger 2.0 document. Convert it to OpenAPI 3.0 or 3.1 first, or ask its publisher for that version.";
    throw new BuildRefused("/swagger", "unsupported_version", message);
  }
  if (typeof version === "string" && /^3\.[01](\.|$)/.test(version)) return document;
  const message =
    version === undefined
      ? "This is not an OpenAPI document: its openapi field is missing."
      : `OpenAPI ${String(version).slice(0, 20)} is not supported. Use 3.0 or 3.1.`;
  throw new BuildRefused("/openapi", "unsupported_version", message);
}

function parseText(text: string): unknown {
  if (Buffer.byteLength(text) > BUILD_LIMITS.documentBytes) throw tooLarge();
  try {
    return /^\s*[[{]/.test(text) ? parseJsonOrYaml(text) : parseYaml(text);
  } catch (cause) {
    if (cause instanceof BuildRefused) throw cause;
    const reason = cause instanceof RangeError ? "it is nested too deeply" : (cause as Error).message.slice(0, 200);
    throw new BuildRefused("", "unreadable", `The document isn't valid JSON or YAML: ${reason}`);
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
  return new BuildRefused(
    "",
    "too_large",
    `The document is larger than ${BUILD_LIMITS.documentBytes / 1_048_576} MiB.`,
  );
}
