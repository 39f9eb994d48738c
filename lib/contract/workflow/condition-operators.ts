/** The operators of a condition (decisions, The graph document). */
export const CONDITION_OPERATORS = [
  "equals",
  "not_equals",
  "greater_than",
  "greater_or_equal",
  "less_than",
  "less_or_equal",
  "contains",
  "not_contains",
  "starts_with",
  "ends_with",
  "matches",
  "is_empty",
  "is_not_empty",
  "is_true",
  "is_false",
  "exists",
] as const;
export type ConditionOperator = (typeof CONDITION_OPERATORS)[number];

/** Operators that only use the left side. */
export const UNARY_OPERATORS: readonly ConditionOperator[] = [
  "is_empty",
  "is_not_empty",
  "is_true",
  "is_false",
  "exists",
];
