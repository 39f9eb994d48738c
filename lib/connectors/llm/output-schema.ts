import { Script } from "node:vm";
import { Ajv, type ValidateFunction } from "ajv";
import { dropAddedNulls } from "#lib/connectors/llm/enforceable-schema";
import { findJson } from "#lib/connectors/llm/find-json";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import { compilePattern, matchPattern, patternBudget, patternsProblem } from "#lib/core/expressions/match-pattern";
import { pointerStep } from "#lib/core/input/assert-storable";
import { compareAsJson } from "#lib/core/input/compare-as-json";
import type { NoteLongNumber } from "#lib/support/exact-json";
import { canonicalJson, isJsonObject } from "#lib/support/json";
import { parseBoundedJson } from "#lib/support/scan-json";

/**
 * The time limit of a check. A few lines of schema can take longer than a lifetime to check: thirty names that each
 * refer twice to the next. Meanwhile the worker's other runs and its heartbeat would wait.
 */
const CHECK_MS = 2_000;
/** Used only for its time limit, which ends whatever it calls; it isolates nothing. */
const CALL = new Script("work()");

/**
 * Parses the object in a model's text and checks it against the schema. Many models think aloud first, wrap the object in a
 * fence of Markdown or write about it, although they were asked for the object alone.
 * @throws StepError VALIDATION_ERROR: `answer_mismatch` naming what does not match, by its JSON pointer
 */
export function parseObject(text: string, schema: Record<string, unknown>, onKept?: NoteLongNumber): unknown {
  return readObject(text, schema, findObject(text, schema), onKept);
}

/**
 * Returns which of the candidates in a model's text is the answer: the only one that matches the schema. Text that is JSON
 * as a whole has no other candidate.
 * @throws StepError VALIDATION_ERROR: `answer_mismatch` if none matches, or if several do that differ
 */
export function findObject(text: string, schema: Record<string, unknown>): number {
  const candidates = candidatesIn(text, schema);
  if (candidates.length === 0) throw notJson();
  const validate = compileOutputSchema(schema);
  const problems = runs(() =>
    candidates.map(({ value, kept }) => {
      if (validate(value)) return null;
      const error = validate.errors?.[0];
      const pointer = error?.instancePath ?? "";
      return { text: `${pointer || "/"} ${error?.message}`, isLong: kept.includes(pointer), pointer };
    }),
  );
  const matching = candidates.filter((_, index) => problems[index] === null);
  const [first, ...others] = matching;
  if (first === undefined) {
    const problem = problems.at(candidates.findLastIndex(({ value }) => isJsonObject(value)));
    if (problem?.isLong) throw longNumber(problem.pointer);
    throw new StepError("answer_mismatch", `The model's answer does not match output_schema: ${problem?.text}`);
  }
  if (others.length > 0 && new Set(matching.map(({ value }) => canonicalJson(value))).size > 1) {
    const message = "The model's answer contains several different objects that match output_schema";
    throw new StepError("answer_mismatch", message);
  }
  return first.index;
}

/**
 * Reads an object without checking it.
 * @param index of `findObject`
 * @param onKept called with the place of each number that became a text
 * @throws StepError VALIDATION_ERROR if it is not JSON
 */
export function readObject(
  text: string,
  schema: Record<string, unknown>,
  index: number,
  onKept?: NoteLongNumber,
): unknown {
  const found = candidatesIn(text, schema).find((candidate) => candidate.index === index);
  if (!found) throw notJson();
  if (onKept) parseBoundedJson(found.text, onKept);
  return found.value;
}

interface Candidate {
  index: number;
  text: string;
  value: unknown;
  /** The pointers of the numbers that became texts. */
  kept: string[];
}

function candidatesIn(text: string, schema: Record<string, unknown>): Candidate[] {
  const whole = parse(text, schema, 0);
  if (whole && typeof whole.value !== "string") return [whole];
  // Some models write the JSON as a JSON text, with its quotes escaped.
  const pieces = findJson(typeof whole?.value === "string" ? whole.value : text);
  return [...(whole ? [whole] : []), ...pieces.flatMap((piece, at) => parse(piece, schema, at + 1) ?? [])];
}

function parse(given: string, schema: Record<string, unknown>, index: number): Candidate | null {
  const text = given.trim();
  const kept: string[] = [];
  try {
    const value = parseBoundedJson(text, (path) => kept.push(path.map((key) => pointerStep(String(key))).join("")));
    return { index, text, value: dropAddedNulls(value, schema), kept };
  } catch {
    return null;
  }
}

/** Asking the model again would give the same number, so this is no mismatch that it could correct. */
function longNumber(pointer: string): StepError {
  const what = `${pointer || "/"} is a number beyond 2^53, which would lose digits`;
  return new StepError("VALIDATION_ERROR", `The model's answer: ${what}. Declare it as a string in output_schema`);
}

function notJson(): StepError {
  return new StepError("answer_mismatch", "The model's answer is not JSON, although output_schema asks for it");
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

/**
 * Runs the work for a limited time. Only the clock can interrupt it, and on a busy machine the clock says nothing, so
 * work that hardly got any CPU time runs again with twice the time.
 */
function runs<T>(work: () => T): T {
  for (let timeoutMs = CHECK_MS; ; timeoutMs *= 2) {
    const before = process.cpuUsage();
    try {
      return CALL.runInNewContext({ work }, { timeout: timeoutMs }) as T;
    } catch (cause) {
      if ((cause as { code?: unknown } | null)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") {
        const reason = cause instanceof Error ? cause.message.slice(0, 200) : "unknown";
        throw new StepError("VALIDATION_ERROR", `output_schema is not a usable JSON Schema: ${reason}`, { cause });
      }
      const { user, system } = process.cpuUsage(before);
      if ((user + system) / 1_000 < CHECK_MS / 2) continue;
      const message = `output_schema takes more than ${CHECK_MS / 1_000} s to check`;
      throw new StepError("VALIDATION_ERROR", message, { cause });
    }
  }
}
