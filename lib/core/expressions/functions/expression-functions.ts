import { DATE_FUNCTIONS } from "#lib/core/expressions/functions/date-functions";
import { ENCODING_FUNCTIONS } from "#lib/core/expressions/functions/encoding-functions";
import type { ExpressionFunction } from "#lib/core/expressions/functions/expression-function";
import { LIST_FUNCTIONS } from "#lib/core/expressions/functions/list-functions";
import { TEXT_FUNCTIONS } from "#lib/core/expressions/functions/text-functions";
import { VALUE_FUNCTIONS } from "#lib/core/expressions/functions/value-functions";

/**
 * Every function that expressions can call. Evaluation, checks, completion and the documentation are derived from this
 * table. Functions are pure, so that a replay gives the same values.
 */
export const EXPRESSION_FUNCTIONS: readonly ExpressionFunction[] = [
  ...VALUE_FUNCTIONS,
  ...TEXT_FUNCTIONS,
  ...ENCODING_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...DATE_FUNCTIONS,
];

export const FUNCTION_NAMES: readonly string[] = EXPRESSION_FUNCTIONS.map(({ name }) => name);

const byName: ReadonlyMap<string, ExpressionFunction> = new Map(EXPRESSION_FUNCTIONS.map((one) => [one.name, one]));

export function findFunction(name: string): ExpressionFunction | null {
  return byName.get(name) ?? null;
}

/** Returns the function as its users write it: `round(number, decimals?)`. */
export function writeSignature({ name, parameters }: ExpressionFunction): string {
  return `${name}(${parameters.map((one) => `${one.name}${one.isOptional ? "?" : ""}`).join(", ")})`;
}
