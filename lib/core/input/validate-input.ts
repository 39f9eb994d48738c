import type { ErrorObject } from "ajv";
import type { FieldError } from "#lib/contract/api-error";
import type { InputSchema, JsonObject } from "#lib/contract/json-schema";
import { compileSchema } from "#lib/core/input/compile-schema";
import { fieldError, pointerStep } from "#lib/core/input/field-error";
import { findHostile } from "#lib/core/input/find-hostile";

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
 * invalid fields at once, converts nothing and allows unknown fields. An empty list means valid. If the input contains
 * something that no schema may allow (nesting that is too deep, a key `__proto__`, text that cannot be stored), that is
 * the only error.
 */
export function validateInput(schema: InputSchema, input: JsonObject): FieldError[] {
  const hostile = findHostile(input);
  if (hostile) return [hostile];
  const validate = compileSchema(schema);
  return validate(input) ? [] : (validate.errors ?? []).map(describe);
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
  return fieldError(instancePath, keyword, "is not valid");
}
