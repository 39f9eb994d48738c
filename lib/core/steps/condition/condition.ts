import type { GraphNode } from "#lib/contract/workflow/graph";
import type { PreparedNode } from "#lib/core/engine/plan";
import type { ConditionMatch, ConditionRule } from "#lib/core/expressions/condition-data";
import { templateBudget } from "#lib/core/expressions/template-budget";
import { conditionData } from "#lib/core/steps/condition/condition-data";
import { decideCase } from "#lib/core/steps/decide-case";
import { parseData } from "#lib/core/steps/parse-data";
import { resolveRules } from "#lib/core/steps/resolve-rules";

interface ConditionInput {
  match: ConditionMatch;
  rules: ConditionRule[];
}

/** Chooses the handle `true` or `false`, and returns it as the output. */
export function prepareCondition(node: GraphNode): PreparedNode<ConditionInput> {
  const { match, rules } = parseData(conditionData, node);
  return {
    resolveInput: (scope, _runInput, unresolved) => ({
      match,
      rules: resolveRules(rules, scope, templateBudget(unresolved)),
    }),
    execute: async (input, context) => ({ result: (await decideCase([input], context)) === 0 }),
  };
}
