import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { PreparedNode } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { templateBudget } from "#lib/core/expressions/template-budget";
import { codeData } from "#lib/core/steps/code/code-data";
import { parseData } from "#lib/core/steps/parse-data";

/** Runs the user's TypeScript in the sandbox with its resolved input. The returned value is the step's output. */
export function prepareCode(node: GraphNode): PreparedNode<JsonObject> {
  const { source, input } = parseData(codeData, node);
  return {
    hasTimeLimit: true,
    waitsForTurn: true,
    resolveInput: (scope, _runInput, unresolved) =>
      resolveTemplate(input, scope, templateBudget(unresolved), "input") as JsonObject,
    execute: (resolved, { services, signal, remainingMs, startTimeLimit: onTurn, onConsole }) =>
      services.sandbox.runCode({ source, input: resolved, timeoutMs: remainingMs(), signal, onTurn, onConsole }),
    isIdempotent: () => true,
  };
}
