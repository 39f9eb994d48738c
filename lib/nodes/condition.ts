import type { GraphNode } from "#lib/contract/graph";
import type { PreparedNode } from "#lib/engine/plan";
import { evaluateRules } from "#lib/expressions/evaluate-rules";
import type { ConditionMatch, ConditionRule } from "#lib/graph/condition-data";
import { parseData } from "#lib/nodes/parse-data";
import { resolveRules } from "#lib/nodes/resolve-rules";

interface ConditionInput {
  match: ConditionMatch;
  rules: ConditionRule[];
}

/** Chooses the handle `true` or `false`; its output says which. */
export function prepareCondition(node: GraphNode): PreparedNode<ConditionInput> {
  const { match, rules } = parseData("condition", node);
  return {
    hasSideEffects: false,
    resolveInput: (scope) => ({ match, rules: resolveRules(rules, scope) }),
    execute: (input) => ({ result: evaluateRules(input.match, input.rules) }),
    chosenHandle: (output) => String((output as { result: boolean }).result),
  };
}
