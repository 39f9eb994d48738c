import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { FieldError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { compilePattern, matchPattern, patternBudget, patternsProblem } from "#lib/core/expressions/match-pattern";
import { fieldError, pointerStep } from "#lib/core/input/assert-storable";

/** A body can be wrong in a million places; a person mends a few at a time. */
const ERRORS_MAX = 50;

/**
 * Validates a value against a JSON Schema that a workflow's author wrote. Reports the invalid fields. Patterns are
 * matched in linear time and share one budget. The schema and the value are untrusted and can still take long, so this
 * runs in a process of its own.
 * @throws StepError VALIDATION_ERROR if the schema cannot be used
 */
export function validateJson(schema: JsonObject, value: unknown): FieldError[] {
  const validate = compileJsonSchema(schema);
  return validate(value) ? [] : (validate.errors ?? []).slice(0, ERRORS_MAX).map(describe);
}

/** @throws StepError VALIDATION_ERROR if it is not a JSON Schema, or names a schema that it does not contain */
export function compileJsonSchema({ $id: _id, $schema: _dialect, ...schema }: JsonObject): ValidateFunction {
  const budget = patternBudget();
  let left: number = LIMITS.definitionPatternSize;
  const linear = (pattern: string) => {
    left -= compilePattern(pattern).programSize();
    if (left < 0) throw new StepError("VALIDATION_ERROR", patternsProblem());
    return { test: (text: string) => matchPattern(pattern, text, budget) };
  };
  linear.code = "linearPattern";
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    ownProperties: true,
    validateFormats: false,
    inlineRefs: false,
    logger: false,
    code: { regExp: linear },
  });
  try {
    return ajv.compile(schema);
  } catch (cause) {
    if (cause instanceof StepError) throw cause;
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : "unknown";
    throw new StepError("VALIDATION_ERROR", reason, { cause });
  }
}

function describe({ keyword, instancePath, params, message }: ErrorObject): FieldError {
  const inner = params.missingProperty ?? params.additionalProperty;
  const pointer = inner === undefined ? instancePath : instancePath + pointerStep(String(inner));
  if (keyword === "required") return bodyError(pointer, keyword, "is required");
  if (keyword === "additionalProperties") return bodyError(pointer, keyword, "is not an allowed field");
  return bodyError(pointer, keyword, message ?? "is not valid");
}

/** The whole value is called "body". */
function bodyError(pointer: string, code: string, problem: string): FieldError {
  return pointer === ""
    ? { field: "body", pointer, code, message: `body ${problem}` }
    : fieldError(pointer, code, problem);
}
