import type { GraphNode } from "#lib/contract/workflow/graph";
import type { PreparedLoop } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { templateBudget } from "#lib/core/expressions/template-budget";
import { requireItems } from "#lib/core/steps/item-data";
import { loopData } from "#lib/core/steps/loop/loop-data";
import { parseData } from "#lib/core/steps/parse-data";

/** Repeats its body for each item; the engine executes the body (decisions, The graph document: loop). */
export function prepareLoop(node: GraphNode): PreparedLoop {
  const { items: template, concurrency, result } = parseData(loopData, node);
  return {
    concurrency,
    resolveInput: (scope, _runInput, unresolved) => ({
      items: requireItems(resolveTemplate(template, scope, templateBudget(unresolved), "items"), "a loop"),
    }),
    resolveResult: (scope, unresolved) =>
      result === undefined ? null : resolveTemplate(result, scope, templateBudget(unresolved), "result"),
  };
}
