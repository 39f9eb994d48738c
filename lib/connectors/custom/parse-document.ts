import { parseDocument as parseYaml } from "yaml";
import { BuildRefused } from "#lib/connectors/custom/custom-definition";
import { BUILD_LIMITS } from "#lib/contract/connector";
import type { JsonObject } from "#lib/contract/json-schema";
import { isJsonObject } from "#lib/support/json";

const DEPTH_MAX = 64;
const VALUES_MAX = 400_000;
const ALIASES_MAX = 100;
/** Lines and signs that begin a value: each costs the parser of YAML 20 µs and more, JSON next to nothing. */
const YAML_PARTS_MAX = 70_000;
/** Every flow collection costs the parser of YAML its stack. */
const FLOW_DEPTH_MAX = 200;

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
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // Flow mappings of YAML begin alike.
      assertFlowDepth(text);
    }
  }
  if (countYamlParts(text) > YAML_PARTS_MAX) {
    throw new BuildRefused(
      "",
      "too_large",
      "The document is too large for YAML, which takes long to read. Give it as JSON.",
    );
  }
  try {
    const parsed = parseYaml(text, {
      schema: "core",
      merge: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: "silent",
    });
    const [error] = parsed.errors;
    if (error) throw error;
    return parsed.toJS({ maxAliasCount: ALIASES_MAX });
  } catch (cause) {
    const reason = cause instanceof RangeError ? "it is nested too deeply" : (cause as Error).message.slice(0, 200);
    throw new BuildRefused("", "unreadable", `The document is neither JSON nor YAML that can be read: ${reason}`);
  }
}

/** Counts what a parser makes nodes of: see YAML_PARTS_MAX. Texts in quotes and blocks count as if they were none. */
function countYamlParts(text: string): number {
  let parts = 0;
  let hasKey = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (!PART_SIGNS.has(sign)) continue;
    const isApart = SPACE.has(text[at + 1] ?? "\n");
    if (",[{\n\r".includes(sign)) {
      parts += 1;
      hasKey = false;
    } else if (sign === ":" && isApart) {
      // The first of a line comes with the line.
      if (hasKey) parts += 1;
      hasKey = true;
    } else if (sign === "?" && isApart) parts += 1;
    else if (sign === "-" && isApart && text[at - 2] === "-") parts += 1;
    else if ("!&*".includes(sign) && isNodeStart(text[at - 1]) && (sign === "!" || !isApart)) parts += 2;
  }
  return parts;
}

const PART_SIGNS = new Set(",[{\n\r:?-!&*");
const SPACE = new Set(" \t\n\r");

function isNodeStart(before = "\n"): boolean {
  return SPACE.has(before) || before === "," || before === "[" || before === "{";
}

function assertFlowDepth(text: string): void {
  let depth = 0;
  for (const sign of text.matchAll(/[[\]{}]/g)) {
    depth += sign[0] === "[" || sign[0] === "{" ? 1 : -1;
    if (depth > FLOW_DEPTH_MAX) throw tooDeep();
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
