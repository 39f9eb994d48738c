import type { ConditionMatch, ConditionRule } from "#lib/core/expressions/condition-data";
import { evaluateRules } from "#lib/core/expressions/evaluate-rules";
import { type PatternBudget, patternBudget } from "#lib/core/expressions/match-pattern";

/** Rules whose sides are resolved values. */
export interface RuleCase {
  match: ConditionMatch;
  rules: readonly ConditionRule[];
}

/**
 * Returns the position of the first case whose rules hold, or -1. Later cases are not evaluated.
 * @throws StepError VALIDATION_ERROR if a pattern is invalid or the budget does not suffice
 */
export function findCase(cases: readonly RuleCase[], budget: PatternBudget = patternBudget()): number {
  return cases.findIndex(({ match, rules }) => evaluateRules(match, rules, budget));
}
