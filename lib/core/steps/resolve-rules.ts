import type { ConditionOperator } from "#lib/contract/workflow/condition-operators";
import type { ConditionRule } from "#lib/core/expressions/condition-data";
import { resolvePart, resolveTemplate } from "#lib/core/expressions/resolve-template";
import { type TemplateBudget, templateBudget } from "#lib/core/expressions/template-budget";

/** For these, a path that does not exist is an answer, not a mistake. */
const ASKS_FOR_ABSENCE: ReadonlySet<ConditionOperator> = new Set(["exists", "is_empty", "is_not_empty"]);

/** For these, the right side is a part that is looked for. */
const LOOKS_FOR: ReadonlySet<ConditionOperator> = new Set([
  "contains",
  "not_contains",
  "starts_with",
  "ends_with",
  "matches",
]);

/** Resolves the templates of a list of rules, which is at `field` of the node's data. They share one budget; a switch passes one for all its cases. */
export function resolveRules(
  rules: readonly ConditionRule[],
  scope: Record<string, unknown>,
  budget: TemplateBudget = templateBudget(),
  field = "rules",
): ConditionRule[] {
  return rules.map((rule, index) => {
    const noted = budget.unresolved.length;
    const left = resolveTemplate(rule.left, scope, budget, `${field}.${index}.left`);
    if (ASKS_FOR_ABSENCE.has(rule.operator)) budget.unresolved.length = noted;
    if (!("right" in rule)) return { ...rule, left };
    const resolve = LOOKS_FOR.has(rule.operator) ? resolvePart : resolveTemplate;
    return { ...rule, left, right: resolve(rule.right, scope, budget, `${field}.${index}.right`) };
  });
}
