import { type BuildFinding, BuildRefused, below, toFinding } from "#lib/connectors/custom/custom-definition";
import type { JsonObject } from "#lib/contract/json-schema";
import { getPath } from "#lib/support/get-path";
import { isJsonObject, setOwn } from "#lib/support/json";

const REFERENCES_MAX = 20;
const DEPTH_MAX = 14;
/** The limit of values in one schema with its references resolved. */
const VALUES_MAX = 1_500;
/** The keywords that an agent can use. Titles, examples and the like would be most of a schema's size. */
const KEPT = new Set(
  "type format enum const default properties required items additionalProperties oneOf anyOf allOf nullable minimum maximum minLength maxLength pattern minItems maxItems description".split(
    " ",
  ),
);
const DESCRIPTION_CHARACTERS = 300;
const NAME_CHARACTERS = 300;
const LIST_MAX = 200;
const CUT = { description: "Any value; see the document for details." };

interface Walk {
  document: JsonObject;
  left: number;
  cut: { recursive: boolean; large: boolean };
}

/**
 * Follows `$ref` until it reaches something else.
 * @throws BuildRefused for references to other documents, to nothing and in circles
 */
export function resolveReference(document: JsonObject, value: unknown, pointer: string): unknown {
  let current = value;
  for (let hop = 0; isJsonObject(current) && typeof current.$ref === "string"; hop += 1) {
    const { $ref: reference } = current;
    const at = below(pointer, "$ref");
    if (!reference.startsWith("#")) {
      const message = `The reference points to another document (${reference.slice(0, 100)}). Put everything into one document.`;
      throw new BuildRefused(at, "external_reference", message);
    }
    if (hop === REFERENCES_MAX)
      throw new BuildRefused(
        at,
        "circular_reference",
        `The reference leads to itself, or through more than ${REFERENCES_MAX} others.`,
      );
    current = getPath(document, pathOf(reference));
    if (current === null)
      throw new BuildRefused(
        at,
        "unknown_reference",
        `The reference points to ${reference.slice(0, 200)}, which does not exist.`,
      );
  }
  return current;
}

function pathOf(reference: string): string[] {
  const names = reference.split("/").slice(1);
  return names.map((name) => decode(name).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Resolves the references of a schema. Circles are cut, and so are schemas larger than anyone reads. */
export function resolveSchema(
  document: JsonObject,
  schema: unknown,
  pointer: string,
  findings: BuildFinding[],
): JsonObject {
  const walk: Walk = { document, left: VALUES_MAX, cut: { recursive: false, large: false } };
  const resolved = resolve(walk, schema, pointer, []);
  if (walk.cut.recursive || walk.cut.large) {
    const what = walk.cut.large
      ? "is very large, so its far parts accept any value"
      : "contains itself, so the repetition accepts any value";
    findings.push(toFinding("left_out", pointer, "schema_cut", `The schema ${what}.`));
  }
  return resolved;
}

function resolve(walk: Walk, schema: unknown, pointer: string, path: unknown[]): JsonObject {
  walk.left -= 1;
  const target = resolveReference(walk.document, schema, pointer);
  if (!isJsonObject(target)) return {};
  if (path.includes(target)) {
    walk.cut.recursive = true;
    return { ...CUT };
  }
  if (path.length >= DEPTH_MAX || walk.left <= 0) {
    walk.cut.large = true;
    return { ...CUT };
  }
  const inner = [...path, target];
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(target)) {
    if (!KEPT.has(key)) continue;
    walk.left -= 1;
    const resolved = resolveKeyword(walk, key, value, below(pointer, key), inner);
    if (resolved === undefined) walk.cut.large = true;
    else kept[key] = resolved;
  }
  return kept;
}

function resolveKeyword(walk: Walk, key: string, value: unknown, pointer: string, path: unknown[]): unknown {
  if (key === "description") return String(value).slice(0, DESCRIPTION_CHARACTERS);
  if (key === "properties" && isJsonObject(value)) {
    const properties: JsonObject = {};
    for (const [name, item] of Object.entries(value)) {
      if (walk.left <= 0 || name.length > NAME_CHARACTERS) {
        walk.cut.large = true;
        break;
      }
      setOwn(properties, name, resolve(walk, item, below(pointer, name), path));
    }
    return properties;
  }
  if (key === "items" || (key === "additionalProperties" && isJsonObject(value)))
    return resolve(walk, value, pointer, path);
  if ((key === "oneOf" || key === "anyOf" || key === "allOf") && Array.isArray(value)) {
    return value.slice(0, LIST_MAX).map((item, index) => resolve(walk, item, below(pointer, index), path));
  }
  return plain(value);
}

/**
 * Returns a keyword's own value if it is small: through references, one text could appear in a connector a thousand
 * times.
 */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.length <= LIST_MAX && value.every(isSmall) ? value : undefined;
  return isSmall(value) ? value : undefined;
}

function isSmall(value: unknown): boolean {
  return typeof value === "string" ? value.length <= NAME_CHARACTERS : typeof value !== "object" || value === null;
}
