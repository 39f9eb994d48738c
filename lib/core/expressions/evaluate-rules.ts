import { areEqual, booleanOf, compareValues, isNothing } from "#lib/core/expressions/compare-values";
import type { ConditionMatch, ConditionRule } from "#lib/core/expressions/condition-data";
import { comparesText, containsValue } from "#lib/core/expressions/contains-value";
import { matchPattern, type PatternBudget, patternBudget } from "#lib/core/expressions/match-pattern";
import { toText } from "#lib/core/expressions/to-text";
import { assertNever } from "#lib/support/assert-never";
import { isJsonObject } from "#lib/support/json";

/**
 * Decides whether all or any of the rules match (decisions, The graph document: condition). The sides are resolved
 * values, not templates. A comparison with null or a missing value on either side fails, so its negation holds. Rules are evaluated in order, and only as many as needed. An empty list matches for `all`, but
 * not for `any`.
 * @param budget what the patterns of all rules together may cost; a switch passes one for all its cases
 * @throws StepError VALIDATION_ERROR if a pattern is invalid or cannot be used
 */
export function evaluateRules(
  match: ConditionMatch,
  rules: readonly ConditionRule[],
  budget: PatternBudget = patternBudget(),
): boolean {
  const isTrue = (rule: ConditionRule) => holds(rule, budget);
  return match === "all" ? rules.every(isTrue) : rules.some(isTrue);
}

function holds({ left, operator, right }: ConditionRule, budget: PatternBudget): boolean {
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
      return containsValue(left, right);
    case "not_contains":
      return !containsValue(left, right);
    case "starts_with":
      return comparesText(left, right) && toText(left).startsWith(toText(right));
    case "ends_with":
      return comparesText(left, right) && toText(left).endsWith(toText(right));
    case "matches":
      return comparesText(left, right) && matchPattern(toText(right), toText(left), budget);
    case "is_empty":
      return isEmpty(left);
    case "is_not_empty":
      return !isEmpty(left);
    case "is_true":
      return booleanOf(left) === true;
    case "is_false":
      return booleanOf(left) === false;
    case "exists":
      return !isNothing(left);
    default:
      return assertNever(operator);
  }
}

function isOrdered(left: unknown, right: unknown, test: (order: number) => boolean): boolean {
  const order = compareValues(left, right);
  return order !== null && test(order);
}

/** Returns true for null, an empty text, an empty array and an empty object. Zero and false are not empty. */
function isEmpty(value: unknown): boolean {
  if (isNothing(value) || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
