import { Script } from "node:vm";
import { Ajv, type ValidateFunction } from "ajv";
import { dropAddedNulls } from "#lib/connectors/llm/enforceable-schema";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/step-error";
import { compilePattern, matchPattern, patternBudget, patternsProblem } from "#lib/core/expressions/match-pattern";
import { compareAsJson } from "#lib/core/input/compare-as-json";
import { parseBoundedJson } from "#lib/support/scan-json";

/**
 * The time limit of a check. A few lines of schema can take longer than a lifetime to check: thirty names that each
 * refer twice to the next. Meanwhile the worker's other runs and its heartbeat would wait.
 */
const CHECK_MS = 2_000;
/** Used only for its time limit, which ends whatever it calls; it isolates nothing. */
const CALL = new Script("work()");
/**
 * Parses the object in a model's text and checks it against the schema. Some models think aloud first, or wrap the object
 * in a fence of Markdown, although they were asked for the object alone.
 * @throws StepError VALIDATION_ERROR: `answer_mismatch` naming what does not match, by its JSON pointer
 */
export function parseObject(text: string, schema: Record<string, unknown>): unknown {
  const value = readObject(text, schema);
  const validate = compileOutputSchema(schema);
  if (runs(() => validate(value))) return value;
  const error = validate.errors?.[0];
  const where = error?.instancePath || "/";
  throw new StepError("answer_mismatch", `The model's answer does not match output_schema: ${where} ${error?.message}`);
}

/**
 * Reads the object without checking it.
 * @throws StepError VALIDATION_ERROR if it is not JSON
 */
export function readObject(text: string, schema: Record<string, unknown>): unknown {
  try {
    return dropAddedNulls(parseBoundedJson(unwrap(text)), schema);
  } catch (cause) {
    const message = "The model's answer is not JSON, although output_schema asks for it";
    throw new StepError("answer_mismatch", message, { cause });
  }
}

/** Returns the text without one block of thoughts before it and one fence around it. */
function unwrap(text: string): string {
  const whole = text.trim();
  const thought = whole.startsWith("<think>") ? whole.indexOf("</think>") : -1;
  const answer = thought === -1 ? whole : whole.slice(thought + "</think>".length).trim();
  const open = answer.indexOf("```");
  const start = answer.indexOf("\n", open);
  const end = answer.lastIndexOf("```");
  // A fence before the object, not one inside it.
  const isFenced = open !== -1 && start !== -1 && end > start && !answer.slice(0, open).includes("{");
  return isFenced ? answer.slice(start, end).trim() : answer;
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
  compareAsJson(ajv);
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
