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

/** What a condition holds, and each case of a switch. */
export const conditionFields = {
  match: z.enum(["all", "any"]).default("all"),
  rules: z.array(conditionRule).min(1, "must hold at least one rule").max(100, "must hold at most 100 rules"),
};
export type ConditionMatch = z.output<typeof conditionFields.match>;

/** The handle of a switch when no case holds. */
export const DEFAULT_CASE = "default";

const switchCase = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must hold only letters, digits, _ and - (64 at most)"),
  name: z.string().max(200, "must be at most 200 characters long").optional(),
  ...conditionFields,
});
export type SwitchCase = z.output<typeof switchCase>;

/** What a switch holds: the first case whose rules hold is taken. */
export const switchFields = {
  cases: z
    .array(switchCase)
    .min(1, "must hold at least one case")
    .max(50, "must hold at most 50 cases")
    .superRefine((cases, context) => {
      const seen = new Set<string>([DEFAULT_CASE]);
      for (const [index, { id }] of cases.entries()) {
        const message = id === DEFAULT_CASE ? `must not be "${id}"` : `must be unique; "${id}" stands twice`;
        if (seen.has(id)) context.addIssue({ code: "custom", path: [index, "id"], message });
        seen.add(id);
      }
    }),
};
