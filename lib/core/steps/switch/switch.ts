import type { GraphNode } from "#lib/contract/workflow/graph";
import type { PreparedNode } from "#lib/core/engine/plan";
import { templateBudget } from "#lib/core/expressions/template-budget";
import { decideCase } from "#lib/core/steps/decide-case";
import { parseData } from "#lib/core/steps/parse-data";
import { resolveRules } from "#lib/core/steps/resolve-rules";
import { type SwitchCase, switchData } from "#lib/core/steps/switch/switch-data";
import { DEFAULT_CASE } from "#lib/core/steps/switch/switch-kind";

interface SwitchInput {
  cases: SwitchCase[];
}

/**
 * Chooses the handle of the first case that matches, or `default`, and returns it as the output. Later cases are not
 * evaluated.
 */
export function prepareSwitch(node: GraphNode): PreparedNode<SwitchInput> {
  const { cases } = parseData(switchData, node);
  return {
    resolveInput: (scope, _runInput, unresolved) => {
      const budget = templateBudget(unresolved);
      const resolved = cases.map((item, index) => ({
        ...item,
        rules: resolveRules(item.rules, scope, budget, `cases.${index}.rules`),
      }));
      return { cases: resolved };
    },
    execute: async (input, context) => {
      const position = await decideCase(input.cases, context);
      return { case: input.cases[position]?.id ?? DEFAULT_CASE };
    },
  };
}
