import { listFields } from "#lib/connectors/custom/list-fields";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { matchPattern, type PatternBudget, patternBudget } from "#lib/core/expressions/match-pattern";
import { joinWords } from "#lib/support/join-words";
import { canonicalJson, isJsonObject } from "#lib/support/json";
import { listSuggestions } from "#lib/support/list-suggestions";
import { parseDecimal } from "#lib/support/numbers/decimal";

export interface ValueProblem {
  path: readonly (string | number)[];
  kind: "unknown" | "missing" | "invalid";
  /** Completes a sentence that starts with the path. */
  message: string;
  /** The names that an unknown one could have been. */
  known?: readonly string[];
}

/** Problems of one value that are worth reading at once. */
export const PROBLEMS_MAX = 20;
/** Unknown names that are compared with all known ones, which takes a millisecond each if there are a thousand. */
const SUGGESTIONS_MAX = 5;
const VALUES_SHOWN = 10;

interface Check {
  problems: ValueProblem[];
  left: number;
  /** Values that are known only when a step runs fit everything. */
  isOpen(value: unknown): boolean;
  /** The value is written as text, so "10" is a number and 10 is text. */
  isText: boolean;
  patterns: PatternBudget;
}

export interface CheckOptions {
  isOpen?: (value: unknown) => boolean;
  isText?: boolean;
}

/**
 * Compares a value with a schema of an OpenAPI document: types, required and unknown fields, enums, bounds. Patterns and
 * formats are the service's to check: documents write them in dialects that differ. The schema is data of a stranger, so it
 * is read and never compiled, and the work has a limit: what lies beyond is not checked.
 */
export function checkValue(
  schema: JsonObject,
  value: unknown,
  path: readonly (string | number)[],
  { isOpen = () => false, isText = false }: CheckOptions = {},
): ValueProblem[] {
  const check: Check = { problems: [], left: LIMITS.paramChecks, isOpen, isText, patterns: patternBudget() };
  visit(check, schema, value, path, null);
  const suggested = new Set(check.problems.filter(({ known }) => known !== undefined).slice(0, SUGGESTIONS_MAX));
  return check.problems
    .slice(0, PROBLEMS_MAX)
    .map((problem) => (suggested.has(problem) ? withSuggestion(problem) : problem));
}

/** Comparing names costs more than finding an unknown one, so only what is reported is compared. */
function withSuggestion(problem: ValueProblem): ValueProblem {
  if (problem.known === undefined) return problem;
  const { words } = listSuggestions(String(problem.path.at(-1)), problem.known, "the fields are");
  return { ...problem, message: problem.message + words };
}

function isOver({ left, problems }: Check): boolean {
  return left < 0 || problems.length > PROBLEMS_MAX;
}

/** Long texts and enums take longer to compare. */
function costOf({ enum: values, required }: JsonObject, value: unknown): number {
  const lists = [values, required].map((list) => (Array.isArray(list) ? list.length : 0));
  return 1 + (typeof value === "string" ? value.length / 100 : 0) + lists.reduce((sum, size) => sum + size / 10, 0);
}

/** @param composed the fields of the whole object, if the schema is only a part of it */
function visit(
  check: Check,
  schema: JsonObject,
  value: unknown,
  path: ValueProblem["path"],
  composed: ReadonlyMap<string, JsonObject> | null,
): void {
  check.left -= costOf(schema, value);
  if (isOver(check) || check.isOpen(value)) return;
  if (value === null && isNullAllowed(schema)) return;
  const wrong = typeProblem(schema, value, check.isText) ?? enumProblem(schema, value, check.isText);
  if (wrong !== null) {
    check.problems.push({ path, kind: "invalid", message: wrong });
    return;
  }
  const bound = boundProblem(schema, value);
  if (bound !== null) check.problems.push({ path, kind: "invalid", message: bound });
  if (isJsonObject(value)) visitFields(check, schema, value, path, composed);
  if (Array.isArray(value)) visitItems(check, schema, value, path);
  visitChoices(check, schema, value, path, composed);
}

/** The first items may have schemas of their own (JSON Schema 2020-12, prefixItems). */
function visitItems(
  check: Check,
  { prefixItems, items }: JsonObject,
  value: unknown[],
  path: ValueProblem["path"],
): void {
  const first = Array.isArray(prefixItems) ? prefixItems : [];
  for (const [index, item] of value.entries()) {
    if (isOver(check)) return;
    const schema: unknown = index < first.length ? first[index] : items;
    if (isJsonObject(schema)) visit(check, schema, item, [...path, index], null);
    else if (first.length === 0) return;
  }
}

function visitFields(
  check: Check,
  schema: JsonObject,
  value: JsonObject,
  path: ValueProblem["path"],
  composed: ReadonlyMap<string, JsonObject> | null,
): void {
  const fields = composed ?? fieldsOf(schema);
  const own: JsonObject = isJsonObject(schema.properties) ? schema.properties : {};
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  for (const name of required) {
    // What only the service sets is required in its responses.
    if (typeof name !== "string" || Object.hasOwn(value, name) || fields.get(name)?.readOnly === true) continue;
    check.problems.push({ path: [...path, name], kind: "missing", message: "is required" });
  }
  for (const [name, item] of Object.entries(value)) {
    check.left -= 1;
    if (isOver(check)) return;
    const property = Object.hasOwn(own, name) ? own[name] : undefined;
    // An optional value of the input is null if the caller left it out, and few documents say which fields may be null.
    if (item === null && !required.includes(name)) continue;
    if (isJsonObject(property)) {
      visit(check, property, item, [...path, name], null);
      continue;
    }
    const matching = property === undefined ? patternSchemas(check, schema, name) : [];
    if (matching.length > 0) for (const one of matching) visit(check, one, item, [...path, name], null);
    else if (isJsonObject(schema.additionalProperties) && !fields.has(name)) {
      visit(check, schema.additionalProperties, item, [...path, name], null);
    } else if (schema.additionalProperties === false && !fields.has(name) && property === undefined) {
      const known = [...fields.keys()];
      check.problems.push({ path: [...path, name], kind: "unknown", message: "is not a known field", known });
    }
  }
}

/** Returns the schemas of the patterns that a name matches. A pattern that cannot be read could match any name. */
function patternSchemas(check: Check, { patternProperties }: JsonObject, name: string): JsonObject[] {
  if (!isJsonObject(patternProperties)) return [];
  return Object.entries(patternProperties).flatMap(([pattern, schema]) => {
    check.left -= 1 + pattern.length / 10;
    if (isOver(check)) return [{}];
    return mayMatch(pattern, name, check.patterns) ? [isJsonObject(schema) ? schema : {}] : [];
  });
}

function mayMatch(pattern: string, name: string, budget: PatternBudget): boolean {
  try {
    return matchPattern(pattern, name, budget);
  } catch {
    return true;
  }
}

function visitChoices(
  check: Check,
  schema: JsonObject,
  value: unknown,
  path: ValueProblem["path"],
  composed: ReadonlyMap<string, JsonObject> | null,
): void {
  const fields = composed ?? fieldsOf(schema);
  for (const part of partsOf(schema.allOf)) visit(check, part, value, path, fields);
  for (const key of ["anyOf", "oneOf"]) {
    const choices = partsOf(schema[key]);
    if (choices.length === 0) continue;
    const attempts = choices.map((choice) => attempt(check, choice, value, path, fields));
    if (attempts.some((problems) => problems.length === 0)) continue;
    // The choice with the fewest problems is the one that was meant.
    const [nearest = []] = attempts.toSorted((a, b) => severity(a, path) - severity(b, path));
    check.problems.push(...nearest);
  }
}

function attempt(
  check: Check,
  schema: JsonObject,
  value: unknown,
  path: ValueProblem["path"],
  fields: ReadonlyMap<string, JsonObject>,
): ValueProblem[] {
  const inner: Check = { ...check, problems: [] };
  visit(inner, schema, value, path, fields);
  check.left = inner.left;
  return inner.problems;
}

/** A choice of another type was not meant at all, and one whose fields are missing less than one whose fields are wrong. */
function severity(problems: readonly ValueProblem[], path: ValueProblem["path"]): number {
  const isOther = problems.some((problem) => problem.kind === "invalid" && problem.path.length === path.length);
  const missing = problems.filter(({ kind }) => kind === "missing").length;
  return problems.length + missing + (isOther ? 2 * PROBLEMS_MAX : 0);
}

/** A list has the same schema for each item. */
const knownFields = new WeakMap<JsonObject, ReadonlyMap<string, JsonObject>>();

function fieldsOf(schema: JsonObject): ReadonlyMap<string, JsonObject> {
  const known = knownFields.get(schema) ?? listFields(schema);
  knownFields.set(schema, known);
  return known;
}

function partsOf(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function isNullAllowed(schema: JsonObject): boolean {
  return schema.nullable === true || (Array.isArray(schema.enum) && schema.enum.includes(null));
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  integer: "an integer",
  null: "null",
  number: "a number",
  object: "an object",
  string: "text",
};

function typeProblem({ type }: JsonObject, value: unknown, isText: boolean): string | null {
  const types = (Array.isArray(type) ? type : [type]).filter((name) => Object.hasOwn(TYPE_WORDS, String(name)));
  if (types.length === 0 || types.some((name) => fits(String(name), value, isText))) return null;
  return `must be ${joinWords(
    types.map((name) => TYPE_WORDS[String(name)] ?? ""),
    "or",
  )}`;
}

const NUMBER_TEXT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function fits(type: string, value: unknown, isText: boolean): boolean {
  switch (type) {
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "null":
      return value === null;
    case "string":
      return typeof value === "string" || (isText && (typeof value === "number" || typeof value === "boolean"));
    case "boolean":
      return typeof value === "boolean" || (isText && (value === "true" || value === "false"));
    case "number":
      return typeof value === "number" || (isText && typeof value === "string" && NUMBER_TEXT.test(value));
    default:
      return fits("number", value, isText) && isWhole(value);
  }
}

/** A double would round the fraction of a text with many digits. */
function isWhole(value: unknown): boolean {
  const decimal = typeof value === "string" ? parseDecimal(value) : null;
  return decimal === null ? Number.isInteger(value) : decimal.point >= decimal.digits.length;
}

function enumProblem({ enum: values, const: only }: JsonObject, value: unknown, isText: boolean): string | null {
  const allowed = Array.isArray(values) ? values : only === undefined ? [] : [only];
  if (allowed.length === 0) return null;
  const isAllowed = allowed.some((item) =>
    typeof item === "object" ? canonicalJson(item) === canonicalJson(value) : isSame(item, value, isText),
  );
  if (isAllowed) return null;
  const shown = allowed.slice(0, VALUES_SHOWN).map((item) => JSON.stringify(item));
  const more = allowed.length > VALUES_SHOWN ? ["…"] : [];
  return `must be ${allowed.length === 1 ? "" : "one of "}${[...shown, ...more].join(", ")}`;
}

function isSame(item: unknown, value: unknown, isText: boolean): boolean {
  return item === value || (isText && typeof value !== "object" && String(item) === String(value));
}

const BOUNDS: readonly [string, (value: unknown) => number | null, (size: number, bound: number) => boolean, string][] =
  [
    ["minimum", numberOf, (size, bound) => size >= bound, "must be at least"],
    ["maximum", numberOf, (size, bound) => size <= bound, "must be at most"],
    ["minLength", charactersOf, (size, bound) => size >= bound, "must have a length of at least"],
    ["maxLength", charactersOf, (size, bound) => size <= bound, "must have a length of at most"],
    ["minItems", itemsOf, (size, bound) => size >= bound, "must have at least this number of items:"],
    ["maxItems", itemsOf, (size, bound) => size <= bound, "must have at most this number of items:"],
  ];

function boundProblem(schema: JsonObject, value: unknown): string | null {
  for (const [keyword, measure, holds, words] of BOUNDS) {
    const bound = schema[keyword];
    const size = typeof bound === "number" ? measure(value) : null;
    if (size !== null && !holds(size, Number(bound))) return `${words} ${bound}`;
  }
  return null;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** JSON Schema counts characters, not UTF-16 units. */
function charactersOf(value: unknown): number | null {
  if (typeof value !== "string") return null;
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

function itemsOf(value: unknown): number | null {
  return Array.isArray(value) ? value.length : null;
}
