import type { ErrorObject } from "ajv";
import type { FieldError } from "#lib/contract/api-error";
import type { InputSchema, JsonObject } from "#lib/contract/json-schema";
import { findSchemaErrors } from "#lib/core/input/compile-schema";
import { fieldError, pointerStep } from "#lib/core/input/field-error";
import { findHostile, findLongNumbers, LONG_NUMBER_CODE } from "#lib/core/input/find-hostile";
import { currentSchema, renameAliases } from "#lib/core/input/input-aliases";
import { leaveOutNullFields } from "#lib/core/input/leave-out-null-fields";
import { formatCount } from "#lib/support/format/format-number";

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
