import type { ConditionRule } from "#lib/core/expressions/condition-data";
import { resolveTemplate, type TemplateBudget, templateBudget } from "#lib/core/expressions/resolve-template";

/** Resolves the templates of a list of rules. They share one budget; a switch passes one for all its cases. */
export function resolveRules(
  rules: readonly ConditionRule[],
  scope: Record<string, unknown>,
  budget: TemplateBudget = templateBudget(),
): ConditionRule[] {
  return rules.map((rule) => ({
    ...rule,
    left: resolveTemplate(rule.left, scope, budget),
    ...("right" in rule ? { right: resolveTemplate(rule.right, scope, budget) } : {}),
  }));
}
