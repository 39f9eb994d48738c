import type { GraphNode } from "#lib/contract/graph";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/step-error";
import type { PreparedLoop } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { loopKind } from "#lib/core/steps/loop/loop-kind";
import { parseData } from "#lib/core/steps/parse-data";

/** Repeats its body for each of its items; the engine executes the body (decisions, The graph document: loop). */
export function prepareLoop(node: GraphNode): PreparedLoop {
  const { items: template, concurrency, result } = parseData(loopKind, node);
  return {
    concurrency,
    resolveInput: (scope) => ({ items: itemsOf(resolveTemplate(template, scope)) }),
    resolveResult: (scope) => (result === undefined ? null : resolveTemplate(result, scope)),
  };
}

function itemsOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) {
    const found = value === null ? "nothing" : typeof value === "object" ? "an object" : `a ${typeof value}`;
    throw new StepError("VALIDATION_ERROR", `items must be an array, but is ${found}`);
  }
  if (value.length > LIMITS.loopIterations) {
    const most = `a loop runs at most ${LIMITS.loopIterations} times`;
    throw new StepError("VALIDATION_ERROR", `items holds ${value.length} values, and ${most}`);
  }
  return value;
}
