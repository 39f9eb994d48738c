import type { ConditionRule } from "#lib/core/expressions/condition-data";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";

/** Resolves the templates of a list of rules. */
export function resolveRules(rules: readonly ConditionRule[], scope: Record<string, unknown>): ConditionRule[] {
  return rules.map((rule) => ({
    ...rule,
    left: resolveTemplate(rule.left, scope),
    ...("right" in rule ? { right: resolveTemplate(rule.right, scope) } : {}),
  }));
}
