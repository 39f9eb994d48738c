import type { ConditionOperator } from "#lib/contract/workflow/condition-operators";

/** Labels for the operators of a condition's rule. */
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

/** Returns the operator's label, or the operator itself if it is unknown, as in a draft written elsewhere. */
export function operatorWords(operator: string): string {
  return (OPERATOR_WORDS as Record<string, string>)[operator] ?? operator;
}
