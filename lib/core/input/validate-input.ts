import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { FieldError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import type { InputSchema, JsonObject, PropertySchema, PropertyType } from "#lib/contract/wire/json-schema";
import { matchPattern, patternBudget } from "#lib/core/expressions/match-pattern";
import { leaveOutNullFields } from "#lib/core/input/apply-defaults";
import {
  fieldError,
  findHostile,
  findLongNumbers,
  LONG_NUMBER_CODE,
  pointerStep,
} from "#lib/core/input/assert-storable";
import { compareAsJson } from "#lib/core/input/compare-as-json";
import { currentSchema, renameAliases } from "#lib/core/input/input-aliases";
import { formatCount } from "#lib/support/format/format-number";
import { fitsType } from "#lib/support/json";
import { sizedCache } from "#lib/support/sized-cache";

/** What a bound of JSON Schema asks for. */
const BOUND_WORDS: Record<string, (limit: number) => string> = {
  minLength: (limit) => `must have at least ${formatCount(limit, "character")}`,
  maxLength: (limit) => `must have at most ${formatCount(limit, "character")}`,
  minItems: (limit) => `must have at least ${formatCount(limit, "item")}`,
  maxItems: (limit) => `must have at most ${formatCount(limit, "item")}`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
};

function boundProblem(keyword: string, { limit, fault }: Record<string, unknown>): string | null {
  if (keyword === "pattern") return String(fault);
  return BOUND_WORDS[keyword]?.(Number(limit)) ?? null;
}

const TYPE_WORDS: Record<string, string> = {
  array: "an array",
  boolean: "a boolean",
  integer: "an integer",
  number: "a number",
  object: "an object",
  string: "a string",
};

/**
 * Validates the input of a call against the action's schema (contract, Endpoints; decisions, Actions). Reports all
 * invalid fields at once, converts nothing and allows unknown fields. null leaves an optional field out. A renamed field
 * may have one of its old names. An empty list means valid. If the input contains something that no schema may allow
 * (nesting that is too deep, a key `__proto__`, text that cannot be stored), that is the only error; so are numbers that
 * would lose digits, all of them.
 */
export function validateInput(schema: InputSchema, input: JsonObject): FieldError[] {
  const hostile = findHostile(input);
  if (hostile) return hostile.code === LONG_NUMBER_CODE ? findLongNumbers(input) : [hostile];
  const { input: renamed, sentAs, conflicts } = renameAliases(schema, leaveOutNullFields(schema, input));
  const errors = findSchemaErrors(currentSchema(schema), renamed);
  return [...conflicts.map(describeConflict), ...errors.map((error) => describe(asSent(error, sentAs)))];
}

function describeConflict({ alias, name }: { alias: string; name: string }): FieldError {
  return fieldError(pointerStep(alias), "alias_conflict", `is another name of ${name}, so send only one of them`);
}

/** An error of a field that was sent under its old name points to that name. */
function asSent(error: ErrorObject, sentAs: ReadonlyMap<string, string>): ErrorObject {
  const [, step = ""] = error.instancePath.split("/");
  for (const [name, alias] of sentAs) {
    if (pointerStep(name) !== `/${step}`) continue;
    return { ...error, instancePath: pointerStep(alias) + error.instancePath.slice(step.length + 1) };
  }
  return error;
}

function describe({ keyword, instancePath, params }: ErrorObject): FieldError {
  if (keyword === "required") {
    return fieldError(instancePath + pointerStep(String(params.missingProperty)), "required", "is required");
  }
  if (keyword === "type") {
    return fieldError(instancePath, "type", `must be ${TYPE_WORDS[String(params.type)] ?? params.type}`);
  }
  if (keyword === "enum" && Array.isArray(params.allowedValues)) {
    const values = params.allowedValues.map((value) => JSON.stringify(value)).join(", ");
    return fieldError(instancePath, "enum", `must be one of ${values}`);
  }
  const problem = boundProblem(keyword, params);
  return fieldError(instancePath, keyword, problem ?? "is not valid");
}

/** Only the first few errors of a list are reported, even if it has a million wrong items. */
const MAX_ITEM_ERRORS = 10;

interface KeywordCheck<Value> {
  (value: Value, context?: { instancePath: string }): boolean;
  errors?: Partial<ErrorObject>[];
}

/** Validates the items of a list like ajv, but with a limit on the number of errors. */
function compileItems(schema: PropertySchema): KeywordCheck<unknown[]> {
  const findErrors = isPlainType(schema) ? typeErrors(schema.type) : schemaErrors(schema);
  const validate: KeywordCheck<unknown[]> = (items, context) => {
    const errors: Partial<ErrorObject>[] = [];
    for (let index = 0; index < items.length && errors.length < MAX_ITEM_ERRORS; index += 1) {
      errors.push(...findErrors(items[index], `${context?.instancePath ?? ""}/${index}`));
    }
    validate.errors = errors.slice(0, MAX_ITEM_ERRORS);
    return errors.length === 0;
  };
  return validate;
}

type ItemErrors = (item: unknown, instancePath: string) => Partial<ErrorObject>[];

function isPlainType(schema: PropertySchema): boolean {
  return Object.keys(schema).length === 1;
}

/** The fast path for long lists of plain values. */
function typeErrors(type: PropertyType): ItemErrors {
  return (item, instancePath) => (fitsType(type, item) ? [] : [{ keyword: "type", instancePath, params: { type } }]);
}

function schemaErrors(schema: PropertySchema): ItemErrors {
  const validate = ajv.compile(schema);
  forget(schema);
  return (item, instancePath) => {
    const place = { instancePath, parentData: {}, parentDataProperty: "", rootData: {}, dynamicAnchors: {} };
    return validate(item, place) ? [] : (validate.errors ?? []);
  };
}

/** What the patterns of one input can still cost together. Validation is synchronous, so one at a time is enough. */
let budget = patternBudget();

/**
 * Matches a pattern in linear time. The pattern comes from the author of the workflow and the text from a caller, so a
 * text that is too long for the pattern is refused, too.
 */
function compilePatternCheck(pattern: string): KeywordCheck<string> {
  const validate: KeywordCheck<string> = (text) => {
    const fault = patternFault(pattern, text);
    validate.errors = fault === null ? [] : [{ keyword: "pattern", params: { pattern, fault } }];
    return fault === null;
  };
  return validate;
}

function patternFault(pattern: string, text: string): string | null {
  try {
    return matchPattern(pattern, text, budget) ? null : `must match the pattern ${pattern}`;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return "is too long for its pattern";
  }
}

// `strict` and the meta-schema protect handwritten schemas; ours are derived. With ownProperties, `toString` does not
// count as a field.
const ajv = new Ajv({
  allErrors: true,
  strict: false,
  ownProperties: true,
  messages: false,
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
});
compareAsJson(ajv);
ajv.removeKeyword("items");
ajv.addKeyword({ keyword: "items", type: "array", compile: compileItems, errors: "full" });
ajv.removeKeyword("pattern");
ajv.addKeyword({ keyword: "pattern", type: "string", compile: compilePatternCheck, errors: "full" });

/** A version has one schema object, so its identity finds the validator. A reloaded copy is found by its text. */
const byIdentity = new WeakMap<InputSchema, ValidateFunction>();
const byText = sizedCache<string, ValidateFunction>(LIMITS.schemaCacheBytes);

/** Returns the errors of an input, at most ten of each list. */
function findSchemaErrors(schema: InputSchema, input: JsonObject): ErrorObject[] {
  const validate = compileSchema(schema);
  budget = patternBudget();
  return validate(input) ? [] : (validate.errors ?? []);
}

/** Returns the validator of an action's input. It is compiled once per schema, which takes about a millisecond. */
export function compileSchema(schema: InputSchema): ValidateFunction {
  const known = byIdentity.get(schema);
  if (known) return known;
  const text = JSON.stringify(schema);
  let validator = byText.get(text);
  if (!validator) {
    validator = compile(schema);
    byText.set(text, validator, text.length);
  }
  byIdentity.set(schema, validator);
  return validator;
}

/** ajv keeps every schema that it compiled, without a limit; the caches above have one. */
function forget(schema: object): void {
  ajv.removeSchema(schema);
}

function compile(schema: InputSchema): ValidateFunction {
  const used = { type: "object", ...validatingParts(schema) };
  const validator = ajv.compile(used);
  forget(used);
  return validator;
}

/** Keeps only what validates: descriptions and defaults would only make the generated code larger. */
function validatingParts({ properties, required = [] }: Pick<PropertySchema, "properties" | "required">) {
  const entries = Object.entries(properties ?? {}).map(([name, property]) => [
    name,
    withSafeBounds(validatingSchema(property)),
  ]);
  return { properties: Object.fromEntries(entries), required };
}

function validatingSchema({
  description: _,
  default: _initial,
  deprecated: _old,
  ...schema
}: PropertySchema): PropertySchema {
  const { items, properties } = schema;
  return {
    ...schema,

    ...(items ? { items: validatingItems(items) } : {}),
    ...(properties ? validatingParts(schema) : {}),
  };
}

/** Items of a plain type have a fast check, which knows what a safe integer is. */
function validatingItems(items: PropertySchema): PropertySchema {
  const validating = validatingSchema(items);
  return isPlainType(validating) ? validating : withSafeBounds(validating);
}

/** Refuses an integer beyond 2^53 that is written as 1e20: a double holds it, but not every reader as an integer. */
function withSafeBounds(schema: PropertySchema): PropertySchema {
  if (schema.type !== "integer") return schema;
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
  return { ...schema, minimum, maximum };
}
