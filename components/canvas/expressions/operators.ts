import type { ConditionOperator } from "#lib/core/expressions/condition-data";

/** The operators of a condition's rule in words. */
export const OPERATOR_WORDS: Record<ConditionOperator, string> = {
  equals: "equals",
  not_equals: "does not equal",
  greater_than: "is greater than",
  greater_or_equal: "is at least",
  less_than: "is less than",
  less_or_equal: "is at most",
  contains: "contains",
  not_contains: "does not contain",
  starts_with: "starts with",
  ends_with: "ends with",
  matches: "matches the pattern",
  is_empty: "is empty",
  is_not_empty: "is not empty",
  is_true: "is true",
  is_false: "is false",
  exists: "exists",
};

/** The operator in words; one we do not know, from a draft written elsewhere, as it is. */
export function operatorWords(operator: string): string {
  return (OPERATOR_WORDS as Record<string, string>)[operator] ?? operator;
}
