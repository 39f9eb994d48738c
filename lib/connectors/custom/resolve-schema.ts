import { type BuildFinding, BuildRefused, below, toFinding } from "#lib/connectors/custom/custom-definition";
import { resolveReference } from "#lib/connectors/custom/resolve-reference";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject, setOwn } from "#lib/support/json";

/** Below this, a schema is cut. It is far deeper than people look. */
const DEPTH_MAX = 14;
/** The size of one schema with its references resolved: about 1,500 values. */
const CHARACTERS_MAX = 60_000;
/**
 * What required fields may add to it. They are never cut, so a document that unfolds without end must end here.
 */
const REQUIRED_CHARACTERS = 240_000;
/** The keywords that an agent can use. Titles, examples and the like would be most of a schema's size. */
const KEPT = new Set(
  "type format enum const default properties required items prefixItems additionalProperties patternProperties oneOf anyOf allOf nullable minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems description readOnly contentMediaType contentEncoding".split(
    " ",
  ),
);
/** What a 3.1 document can add next to a reference. An annotation or a repeated type alone adds nothing to check. */
const ADDED = [...KEPT].filter((key) => !["type", "description", "default", "readOnly"].includes(key));
const DESCRIPTION_CHARACTERS = 300;
const NAME_CHARACTERS = 300;
const LIST_MAX = 200;
/** The characters that a part takes if it is cut; they are free again if it is not. */
const OUTLINE_CHARACTERS = 64;
const CUT_DESCRIPTION = "See the document for details.";

/** A schema that waits for its turn, with the object that it is written into. */
interface Waiting {
  schema: unknown;
  into: JsonObject;
  pointer: string;
  /** The schemas around it, the nearest first. */
  around: Around | null;
  depth: number;
  /** A valid value must have it. */
  isRequired: boolean;
}

interface Around {
  schema: JsonObject;
  next: Around | null;
}

interface Walk {
  document: JsonObject;
  left: number;
  /** What comes next, level by level. Required parts come first, so that they are cut last. */
  required: Waiting[];
  optional: Waiting[];
  cut: { recursive: boolean; large: boolean; fault: BuildRefused | null };
}

/**
 * Resolves the references of a schema. Circles are cut, and a schema that is too large is cut breadth first: its upper
 * levels stay, and so does every required field.
 * @param characters the size to fit into
 */
export function resolveSchema(
  document: JsonObject,
  schema: unknown,
  pointer: string,
  findings: BuildFinding[],
  characters: number = CHARACTERS_MAX,
): JsonObject {
  const into: JsonObject = {};
  const cut: Walk["cut"] = { recursive: false, large: false, fault: null };
  const walk: Walk = { document, left: characters, required: [], optional: [], cut };
  walk.required.push({ schema, into, pointer, around: null, depth: 0, isRequired: true });
  // The queues grow while they are read.
  let [required, optional] = [0, 0];
  for (;;) {
    const next = walk.required[required] ?? walk.optional[optional];
    if (next === undefined) break;
    if (next.isRequired) required += 1;
    else optional += 1;
    resolveOne(walk, next);
  }
  report(walk.cut, pointer, findings);
  return into;
}

/** Makes a resolved schema smaller, in the same way as `resolveSchema`. */
export function cutSchema(schema: JsonObject, characters: number): JsonObject {
  return resolveSchema({}, schema, "", [], characters);
}

function report({ recursive, large, fault }: Walk["cut"], pointer: string, findings: BuildFinding[]): void {
  if (recursive || large) {
    const what = large
      ? "is too large, so some nested parts accept any value"
      : "is recursive, so its nested copies accept any value";
    findings.push(toFinding("left_out", pointer, "schema_cut", `The schema ${what}.`));
  }
  if (fault) findings.push({ ...fault.finding, severity: "left_out" });
}

function resolveOne(walk: Walk, { schema, into, pointer, around, depth, isRequired }: Waiting): void {
  const target = follow(walk, withReference(walk.document, schema), pointer);
  if (!isJsonObject(target)) return;
  const isRecursive = isAround(around, target);
  if (isRecursive || depth >= DEPTH_MAX || walk.left <= (isRequired ? -REQUIRED_CHARACTERS : 0)) {
    walk.cut[isRecursive ? "recursive" : "large"] = true;
    Object.assign(into, outline(target));
    return;
  }
  walk.left += OUTLINE_CHARACTERS;
  const inner = { schema: target, next: around };
  const enqueue = (part: unknown, key: string, isNeeded: boolean): JsonObject => {
    walk.left -= OUTLINE_CHARACTERS;
    const result: JsonObject = {};
    const queue = isNeeded ? walk.required : walk.optional;
    const place = { pointer: `${pointer}/${key}`, around: inner, depth: depth + 1 };
    queue.push({ schema: part, into: result, ...place, isRequired: isNeeded });
    return result;
  };
  for (const [key, value] of Object.entries(target)) {
    if (!KEPT.has(key)) continue;
    const resolved = resolveKeyword(walk, target, key, value, isRequired, enqueue);
    if (resolved === undefined) walk.cut.large = true;
    else into[key] = resolved;
  }
  // It lost properties, so it can no longer refuse others.
  const isLess = (key: string) => countKeys(into[key]) < countKeys(target[key]);
  if (isLess("properties") || isLess("patternProperties")) into.additionalProperties = true;
  // A reference can have a description of its own, which says more about this place.
  if (isJsonObject(schema) && schema !== target) {
    if (typeof schema.description === "string") into.description = schema.description.slice(0, DESCRIPTION_CHARACTERS);
    // OpenAPI 3.0 ignores these, but documents mean them, and both only allow more.
    for (const key of ["readOnly", "nullable"]) if (schema[key] === true) into[key] = true;
  }
}

/**
 * Returns the schema in the form of OpenAPI 3.0, where a reference has nothing next to it. In 3.1, both the target and what
 * is next to the reference must hold (JSON Schema 2020-12, 8.2.3.1).
 */
function withReference(document: JsonObject, schema: unknown): unknown {
  if (!isJsonObject(schema)) return schema;
  const { $ref = schema.$dynamicRef, $dynamicRef: _, ...rest } = schema;
  if (typeof $ref !== "string") return schema;
  const isAdded = /^3\.[1-9]/.test(String(document.openapi)) && ADDED.some((key) => Object.hasOwn(schema, key));
  if (!isAdded) return { ...rest, $ref };
  return { ...rest, allOf: [...(Array.isArray(rest.allOf) ? rest.allOf : []), { $ref }] };
}

/** What is left of a schema that is cut. */
function outline({ type, nullable }: JsonObject): JsonObject {
  return { ...(typeof type === "string" && nullable !== true ? { type } : {}), description: CUT_DESCRIPTION };
}

function countKeys(properties: unknown): number {
  return isJsonObject(properties) ? Object.keys(properties).length : 0;
}

/** A part that cannot be found accepts any value: the rest of the operation works without it. */
function follow(walk: Walk, schema: unknown, pointer: string): unknown {
  try {
    return resolveReference(walk.document, schema, pointer);
  } catch (error) {
    if (!(error instanceof BuildRefused)) throw error;
    walk.cut.fault ??= error;
    return { description: CUT_DESCRIPTION };
  }
}

function isAround(around: Around | null, schema: JsonObject): boolean {
  for (let one = around; one; one = one.next) if (one.schema === schema) return true;
  return false;
}

type Enqueue = (part: unknown, key: string, isNeeded: boolean) => JsonObject;

function resolveKeyword(
  walk: Walk,
  schema: JsonObject,
  key: string,
  value: unknown,
  isRequired: boolean,
  enqueue: Enqueue,
): unknown {
  walk.left -= key.length + 4;
  if (key === "description") return kept(walk, String(value).slice(0, DESCRIPTION_CHARACTERS));
  if (key === "properties" && isJsonObject(value)) return resolveProperties(walk, schema, value, isRequired, enqueue);
  if (key === "patternProperties" && isJsonObject(value)) return resolvePatterns(walk, value, enqueue);
  if (key === "items") return enqueue(value, key, false);
  if (key === "additionalProperties" && isJsonObject(value)) return enqueue(value, key, false);
  if ((key === "oneOf" || key === "anyOf" || key === "allOf" || key === "prefixItems") && Array.isArray(value)) {
    if (value.length > LIST_MAX) walk.cut.large = true;
    return value
      .slice(0, LIST_MAX)
      .map((item, index) => enqueue(item, `${key}/${index}`, isRequired && key === "allOf"));
  }
  return plain(walk, value);
}

/** Keeps the name of every required property, even if there is no room for the others. */
function resolveProperties(
  walk: Walk,
  { required }: JsonObject,
  properties: JsonObject,
  isRequired: boolean,
  enqueue: Enqueue,
): JsonObject {
  const needed = new Set(Array.isArray(required) ? required.slice(0, LIST_MAX) : []);
  const resolved: JsonObject = {};
  for (const [name, item] of Object.entries(properties)) {
    const isNeeded = needed.has(name);
    if ((walk.left <= 0 && !isNeeded) || name.length > NAME_CHARACTERS) {
      walk.cut.large = true;
      continue;
    }
    walk.left -= name.length + 6;
    setOwn(resolved, name, enqueue(item, below("properties", name), isRequired && isNeeded));
  }
  return resolved;
}

function resolvePatterns(walk: Walk, patterns: JsonObject, enqueue: Enqueue): JsonObject {
  const resolved: JsonObject = {};
  for (const [pattern, item] of Object.entries(patterns).slice(0, LIST_MAX)) {
    if (walk.left <= 0 || pattern.length > NAME_CHARACTERS) continue;
    walk.left -= pattern.length + 6;
    setOwn(resolved, pattern, enqueue(item, below("patternProperties", pattern), false));
  }
  return resolved;
}

/**
 * Returns a keyword's own value if it is small: through references, one text could appear in a connector a thousand
 * times.
 */
function plain(walk: Walk, value: unknown): unknown {
  if (Array.isArray(value)) return value.length <= LIST_MAX && value.every(isSmall) ? kept(walk, value) : undefined;
  return isSmall(value) ? kept(walk, value) : undefined;
}

function isSmall(value: unknown): boolean {
  return typeof value === "string" ? value.length <= NAME_CHARACTERS : typeof value !== "object" || value === null;
}

function kept(walk: Walk, value: unknown): unknown {
  walk.left -= JSON.stringify(value)?.length ?? 0;
  return value;
}
