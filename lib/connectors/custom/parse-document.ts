import { BuildRefused } from "#lib/connectors/custom/custom-definition";
import { parseYaml } from "#lib/connectors/custom/parse-yaml";
import { BUILD_LIMITS } from "#lib/contract/connector";
import type { JsonObject } from "#lib/contract/json-schema";
import { isJsonObject } from "#lib/support/json";

const DEPTH_MAX = 64;
const VALUES_MAX = 400_000;

/**
 * An OpenAPI document from what was given: an object, or JSON or YAML as text.
 * @throws BuildRefused for what is too large, too deep, no document, or of a version that cannot be read
 */
export function parseDocument(given: unknown): JsonObject {
  const document = typeof given === "string" ? parseText(given) : given;
  assertBounded(document);
  if (!isJsonObject(document))
    throw new BuildRefused("", "not_openapi", "This is no OpenAPI document but a single value.");
  const version = document.openapi;
  if (document.swagger !== undefined) {
    const message =
      "This is a Swagger 2.0 document. Convert it to OpenAPI 3.0 or 3.1 first; its publisher may offer one.";
    throw new BuildRefused("/swagger", "unsupported_version", message);
  }
  if (typeof version === "string" && /^3\.[01](\.|$)/.test(version)) return document;
  const message =
    version === undefined
      ? "This is no OpenAPI document: it does not say openapi: 3.0 or 3.1."
      : `OpenAPI ${String(version).slice(0, 20)} cannot be read, only 3.0 and 3.1.`;
  throw new BuildRefused("/openapi", "unsupported_version", message);
}

function parseText(text: string): unknown {
  if (Buffer.byteLength(text) > BUILD_LIMITS.documentBytes) throw tooLarge();
  try {
    return /^\s*[[{]/.test(text) ? parseJsonOrYaml(text) : parseYaml(text);
  } catch (cause) {
    if (cause instanceof BuildRefused) throw cause;
    const reason = cause instanceof RangeError ? "it is nested too deeply" : (cause as Error).message.slice(0, 200);
    throw new BuildRefused("", "unreadable", `The document is neither JSON nor YAML that can be read: ${reason}`);
  }
}

/** Flow mappings of YAML begin as JSON does. */
function parseJsonOrYaml(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseYaml(text);
  }
}

/** Counts aliases every time they are met: a bomb is spent like what it unfolds to. */
function assertBounded(document: unknown): void {
  let left = VALUES_MAX;
  const open: [unknown, number][] = [[document, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next;
    if (typeof value !== "object" || value === null) continue;
    if (depth > DEPTH_MAX) throw tooDeep();
    const items = Object.values(value);
    left -= items.length + 1;
    if (left < 0) throw new BuildRefused("", "too_large", `The document holds more than ${VALUES_MAX} values.`);
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
