import { z } from "zod";

/** The comparisons of a condition (decisions, The graph document). */
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

/** Operators that look at the left side alone. */
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

/** One comparison; `left` and `right` are templates in a definition and values once resolved. */
export type ConditionRule = z.output<typeof conditionRule>;

/** What a condition holds, each case of a switch, and a filter. */
export const conditionFields = {
  match: z.enum(["all", "any"]).default("all"),
  rules: z.array(conditionRule).min(1, "must hold at least one rule").max(100, "must hold at most 100 rules"),
};
export type ConditionMatch = z.output<typeof conditionFields.match>;
