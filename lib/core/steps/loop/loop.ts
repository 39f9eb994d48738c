import type { GraphNode } from "#lib/contract/graph";
import type { PreparedLoop } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { requireItems } from "#lib/core/steps/item-data";
import { loopKind } from "#lib/core/steps/loop/loop-kind";
import { parseData } from "#lib/core/steps/parse-data";

/** Repeats its body for each item; the engine executes the body (decisions, The graph document: loop). */
export function prepareLoop(node: GraphNode): PreparedLoop {
  const { items: template, concurrency, result } = parseData(loopKind, node);
  return {
    concurrency,
    resolveInput: (scope) => ({ items: requireItems(resolveTemplate(template, scope), "a loop") }),
    resolveResult: (scope) => (result === undefined ? null : resolveTemplate(result, scope)),
  };
}
