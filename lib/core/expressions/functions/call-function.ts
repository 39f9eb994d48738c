import { StepError } from "#lib/contract/run/step-error";
import { numberOf } from "#lib/core/expressions/compare-values";
import type { FunctionCall } from "#lib/core/expressions/expression";
import { checkCall } from "#lib/core/expressions/functions/check-call";
import type { CallArguments, ExpressionFunction } from "#lib/core/expressions/functions/expression-function";
import { findFunction, writeSignature } from "#lib/core/expressions/functions/expression-functions";
import {
  describeArgument,
  describeKinds,
  fitsKinds,
  numberArgument,
  textArgument,
} from "#lib/core/expressions/functions/read-argument";
import { spendCharacters, type TemplateBudget, writeText } from "#lib/core/expressions/template-budget";

/** What a call costs besides the data that it reads. A step can call 200,000 functions. */
const CALL_CHARACTERS = 50;

/**
 * Calls a function with values. Null in an argument makes the result null, so that `??` can replace it, except for
 * functions that take null.
 * @throws StepError VALIDATION_ERROR if the function or an argument is wrong, or the step exceeds its budget
 */
export function callFunction(call: FunctionCall, values: readonly unknown[], budget: TemplateBudget): unknown {
  spendCharacters(budget, CALL_CHARACTERS);
  const called = findFunction(call.name);
  const problem = checkCall(call);
  if (called === null || problem !== null) throw new StepError("VALIDATION_ERROR", `An expression ${problem}.`);
  for (const [at, parameter] of called.parameters.entries()) {
    if (at >= values.length) break;
    const value = values[at] ?? null;
    if (value === null && parameter.takesNull !== true) return null;
    // Finding out whether a text spells a number reads all of its spaces.
    if (typeof value === "string" && parameter.accepts?.includes("number")) spendCharacters(budget, value.length);
    if (value !== null && !fitsKinds(parameter.accepts, value)) {
      throw refusal(called, values, at, `must be ${describeKinds(parameter.accepts)}`);
    }
  }
  return called.run(readArguments(called, values, budget));
}

function readArguments(called: ExpressionFunction, values: readonly unknown[], budget: TemplateBudget): CallArguments {
  const refuse = (at: number, reason: string) => refusal(called, values, at, reason);
  const value = (at: number) => values[at] ?? null;
  const text = (at: number) => {
    const read = textArgument(value(at));
    if (read === null) throw refuse(at, "must be a text");
    spendCharacters(budget, read.length);
    return read;
  };
  const number = (at: number) => {
    const read = numberArgument(value(at));
    if (read === null) throw refuse(at, "must be a number");
    return read;
  };
  return {
    value,
    text,
    number,
    refuse,
    digits: (at) => {
      const read = number(at);
      const given = value(at);
      return typeof given === "string" ? given.trim() : String(read);
    },
    has: (at) => at < values.length,
    integer: (at, min, max) => {
      const read = number(at);
      if (!Number.isInteger(read) || read < min || read > max) {
        throw refuse(at, `must be a whole number from ${min} to ${max}`);
      }
      return read;
    },
    list: (at) => {
      const read = value(at);
      if (!Array.isArray(read)) throw refuse(at, "must be a list");
      return read;
    },
    write: (one) => writeText(one, budget),
    spend: (characters) => spendCharacters(budget, characters),
  };
}

function refusal(called: ExpressionFunction, values: readonly unknown[], at: number, reason: string): StepError {
  const name = called.parameters[at]?.name ?? "";
  const value = values[at] ?? null;
  const given = describeArgument(value);
  const long = numberOf(value) !== null && numberArgument(value) === null ? ", which a number cannot hold exactly" : "";
  return new StepError("VALIDATION_ERROR", `${writeSignature(called)}: "${name}" ${reason}, but is ${given}${long}.`);
}
