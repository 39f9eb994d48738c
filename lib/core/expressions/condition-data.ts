import { z } from "zod";

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

const conditionRule = z
  .object({ left: z.unknown(), operator: z.enum(CONDITION_OPERATORS), right: z.unknown().optional() })
  .superRefine((rule, context) => {
    if (rule.left === undefined || rule.left === "") {
      context.addIssue({ code: "custom", path: ["left"], message: "is required" });
    }
    if (rule.right === undefined && !UNARY_OPERATORS.includes(rule.operator)) {
      context.addIssue({ code: "custom", path: ["right"], message: "is required" });
    }
  });

/** A single comparison. `left` and `right` are templates in a definition, and values once they are resolved. */
export type ConditionRule = z.output<typeof conditionRule>;

/** The fields of a condition, of each case of a switch, and of a filter. */
export const conditionFields = {
  match: z.enum(["all", "any"]).default("all"),
  rules: z.array(conditionRule).min(1, "must contain at least one rule").max(100, "must contain at most 100 rules"),
};
export type ConditionMatch = z.output<typeof conditionFields.match>;
