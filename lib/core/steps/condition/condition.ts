import type { GraphNode } from "#lib/contract/graph";
import type { PreparedNode } from "#lib/core/engine/plan";
import type { ConditionMatch, ConditionRule } from "#lib/core/expressions/condition-data";
import { conditionKind } from "#lib/core/steps/condition/condition-kind";
import { decideCase } from "#lib/core/steps/decide-case";
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
    execute: async (input, context) => ({ result: (await decideCase([input], context)) === 0 }),
  };
}
