import { areEqual, booleanOf, compareValues, hasElement } from "#lib/core/expressions/compare-values";
import type { ConditionMatch, ConditionRule } from "#lib/core/expressions/condition-data";
import { matchPattern } from "#lib/core/expressions/match-pattern";
import { toText } from "#lib/core/expressions/to-text";
import { assertNever } from "#lib/support/assert-never";
import { isJsonObject } from "#lib/support/json";

/**
 * Whether all or any of the rules hold (decisions, The graph document: condition). The sides are resolved values, not
 * templates. Rules are read in order and no further than needed; no rules at all hold for `all`, not for `any`.
 * @throws StepError VALIDATION_ERROR for a pattern that cannot be read or used
 */
export function evaluateRules(match: ConditionMatch, rules: readonly ConditionRule[]): boolean {
  return match === "all" ? rules.every(holds) : rules.some(holds);
}

function holds({ left, operator, right }: ConditionRule): boolean {
  switch (operator) {
    case "equals":
      return areEqual(left, right);
    case "not_equals":
      return !areEqual(left, right);
    case "greater_than":
      return isOrdered(left, right, (order) => order > 0);
    case "greater_or_equal":
      return isOrdered(left, right, (order) => order >= 0);
    case "less_than":
      return isOrdered(left, right, (order) => order < 0);
    case "less_or_equal":
      return isOrdered(left, right, (order) => order <= 0);
    case "contains":
      return contains(left, right);
    case "not_contains":
      return !contains(left, right);
    case "starts_with":
      return isScalar(left) && toText(left).startsWith(toText(right));
    case "ends_with":
      return isScalar(left) && toText(left).endsWith(toText(right));
    case "matches":
      return isScalar(left) && matchPattern(toText(right), toText(left));
    case "is_empty":
      return isEmpty(left);
    case "is_not_empty":
      return !isEmpty(left);
    case "is_true":
      return booleanOf(left) === true;
    case "is_false":
      return booleanOf(left) === false;
    case "exists":
      return left !== null && left !== undefined;
    default:
      return assertNever(operator);
  }
}

/** Text, number or boolean: what can be read as a text. Null has no beginning and no end. */
function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isOrdered(left: unknown, right: unknown, test: (order: number) => boolean): boolean {
  const order = compareValues(left, right);
  return order !== null && test(order);
}

/** An array contains an equal element, an object a key, a text a part. */
function contains(left: unknown, right: unknown): boolean {
  if (Array.isArray(left)) return hasElement(left, right);
  if (isJsonObject(left)) return isScalar(right) && Object.hasOwn(left, toText(right));
  return isScalar(left) && toText(left).includes(toText(right));
}

/** Null, an empty text, an empty array, an empty object. Zero and false are values. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
