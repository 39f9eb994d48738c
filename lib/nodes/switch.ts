import type { GraphNode } from "#lib/contract/graph";
import type { PreparedNode } from "#lib/engine/plan";
import { evaluateRules } from "#lib/expressions/evaluate-rules";
import { DEFAULT_CASE, type SwitchCase } from "#lib/graph/condition-data";
import { parseData } from "#lib/nodes/parse-data";
import { resolveRules } from "#lib/nodes/resolve-rules";

interface SwitchInput {
  cases: SwitchCase[];
}

/** Chooses the handle of the first case that holds, or `default`; its output says which. Later cases are not evaluated. */
export function prepareSwitch(node: GraphNode): PreparedNode<SwitchInput> {
  const { cases } = parseData("switch", node);
  return {
    hasSideEffects: false,
    resolveInput: (scope) => ({ cases: cases.map((item) => ({ ...item, rules: resolveRules(item.rules, scope) })) }),
    execute: (input) => ({
      case: input.cases.find((item) => evaluateRules(item.match, item.rules))?.id ?? DEFAULT_CASE,
    }),
    chosenHandle: (output) => (output as { case: string }).case,
  };
}
