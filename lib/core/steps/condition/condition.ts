import type { GraphNode } from "#lib/contract/graph";
import type { PreparedNode } from "#lib/core/engine/plan";
import type { ConditionMatch, ConditionRule } from "#lib/core/expressions/condition-data";
import { evaluateRules } from "#lib/core/expressions/evaluate-rules";
import { conditionKind } from "#lib/core/steps/condition/condition-kind";
import { parseData } from "#lib/core/steps/parse-data";
import { resolveRules } from "#lib/core/steps/resolve-rules";

interface ConditionInput {
  match: ConditionMatch;
  rules: ConditionRule[];
}

/** Chooses the handle `true` or `false`, and returns it as the output. */
export function prepareCondition(node: GraphNode): PreparedNode<ConditionInput> {
  const { match, rules } = parseData(conditionKind, node);
  return {
    resolveInput: (scope) => ({ match, rules: resolveRules(rules, scope) }),
    execute: (input) => ({ result: evaluateRules(input.match, input.rules) }),
  };
}
