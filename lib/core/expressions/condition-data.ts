import { z } from "zod";
import { CONDITION_OPERATORS, UNARY_OPERATORS } from "#lib/contract/workflow/condition-operators";

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
