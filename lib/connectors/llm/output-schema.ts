import { Script } from "node:vm";
import { Ajv, type ValidateFunction } from "ajv";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/step-error";
import { compilePattern, matchPattern, patternBudget, patternsProblem } from "#lib/core/expressions/match-pattern";
import { isJsonObject } from "#lib/support/json";
import { parseBoundedJson } from "#lib/support/scan-json";

/** Keywords that no provider's structured output supports. The answer is checked against them afterwards. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
  "contains",
  "minContains",
  "maxContains",
  "minProperties",
  "maxProperties",
  "propertyNames",
  "patternProperties",
  "default",
  "examples",
  "title",
  "$schema",
  "$id",
]);
/** The children of these keys have names that a person chose; they are not keywords. */
const NAMED: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"]);
const VALUES: ReadonlySet<string> = new Set(["enum", "const", "required"]);
/**
 * The time limit of a check. A few lines of schema can take longer than a lifetime to check: thirty names that each
 * refer twice to the next. Meanwhile the worker's other runs and its heartbeat would wait.
 */
const CHECK_MS = 2_000;
/** Used only for its time limit, which ends whatever it calls; it isolates nothing. */
const CALL = new Script("work()");
/** Keywords that OpenAI rejects in a strict schema. */
const UNSTRICT = ["oneOf", "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"];

/**
 * Returns the schema as providers accept it: without the keywords they cannot enforce, and with objects closed unless
 * they are declared open.
 */
export function enforceableSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(enforceableSchema);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([key]) => !UNSUPPORTED.has(key));
  const result = Object.fromEntries(kept.map(([key, value]) => [key, enforceableValue(key, value)]));
  if (result.type === "object" && result.additionalProperties === undefined) result.additionalProperties = false;
  return result;
}

function enforceableValue(key: string, value: unknown): unknown {
  if (VALUES.has(key)) return value;
  if (!NAMED.has(key) || !isJsonObject(value)) return enforceableSchema(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, enforceableSchema(inner)]));
}

/** Returns whether every object requires all its properties and allows no others, which OpenAI calls strict. */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  if (!isJsonObject(schema)) return true;
  if (UNSTRICT.some((keyword) => keyword in schema)) return false;
  const { properties, required, additionalProperties } = schema;
  if (schema.type === "object" || properties !== undefined) {
    const names = isJsonObject(properties) ? Object.keys(properties) : [];
    const listed = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || !names.every((name) => listed.includes(name))) return false;
  }
  return Object.entries(schema).every(([key, value]) => {
    if (VALUES.has(key)) return true;
    return NAMED.has(key) && isJsonObject(value) ? Object.values(value).every(isStrictSchema) : isStrictSchema(value);
  });
}

/**
 * Parses the object in a model's text and checks it against the schema.
 * @throws StepError VALIDATION_ERROR naming what does not match, by its JSON pointer
 */
export function parseObject(text: string, schema: Record<string, unknown>): unknown {
  let value: unknown;
  try {
    value = parseBoundedJson(text);
  } catch (cause) {
    throw new StepError("VALIDATION_ERROR", "The model's answer is not JSON, although output_schema asks for it", {
      cause,
    });
  }
  const validate = compileOutputSchema(schema);
  if (runs(() => validate(value))) return value;
  const error = validate.errors?.[0];
  const where = error?.instancePath || "/";
  throw new StepError(
    "VALIDATION_ERROR",
    `The model's answer does not match output_schema: ${where} ${error?.message}`,
  );
}

/**
 * Compiles a schema for one answer. Patterns are matched in linear time and share one budget, because both the schema
 * and the text are untrusted.
 * @throws StepError VALIDATION_ERROR if it is not a JSON Schema
 */
export function compileOutputSchema(schema: Record<string, unknown>): ValidateFunction {
  const budget = patternBudget();
  let left = LIMITS.definitionPatternSize;
  const linear = (pattern: string) => {
    left -= compilePattern(pattern).programSize();
    if (left < 0) throw new StepError("VALIDATION_ERROR", `output_schema: ${patternsProblem()}`);
    return { test: (text: string) => matchPattern(pattern, text, budget) };
  };
  linear.code = "linearPattern";
  const ajv = new Ajv({ strict: false, ownProperties: true, validateFormats: false, code: { regExp: linear } });
  return runs(() => ajv.compile(withoutId(schema)));
}

/** Removes ids and dialects: they only serve references between documents, and there is only one. */
function withoutId({ $id: _id, $schema: _dialect, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema;
}

function runs<T>(work: () => T): T {
  try {
    return CALL.runInNewContext({ work }, { timeout: CHECK_MS }) as T;
  } catch (cause) {
    if ((cause as { code?: unknown } | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
      throw new StepError("VALIDATION_ERROR", `output_schema takes more than ${CHECK_MS / 1_000} s to check`, {
        cause,
      });
    }
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : "unknown";
    throw new StepError("VALIDATION_ERROR", `output_schema is not a usable JSON Schema: ${reason}`, { cause });
  }
}
