import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { PreparedNode, TemplateValues } from "#lib/core/engine/plan";
import { parseData } from "#lib/core/steps/parse-data";
import { resolveNamed } from "#lib/core/steps/resolve-named";
import { transformData } from "#lib/core/steps/transform/transform-data";

/** Builds an object by resolving its fields, or evaluates a JSONata expression. */
export function prepareTransform(node: GraphNode): PreparedNode<JsonObject> {
  const { fields = [], jsonata } = parseData(transformData, node);
  if (jsonata !== undefined) return prepareJsonata(jsonata);
  return {
    resolveInput: (scope, _runInput, unresolved) => resolveNamed("fields", fields, scope, unresolved),
    execute: (input) => input,
  };
}

/**
 * Runs a JSONata expression. Expressions are programs, so they run in the sandbox like user code. Their input contains
 * the steps they name, by id.
 */
function prepareJsonata(expression: string): PreparedNode<JsonObject> {
  const words = new Set(expression.match(/[A-Za-z_][A-Za-z0-9_]*/g));
  return {
    hasTimeLimit: true,
    waitsForTurn: true,
    resolveInput: (scope) => named(scope, words),
    execute: (input, { services, signal, remainingMs, startTimeLimit: onTurn }) =>
      services.sandbox.evaluateJsonata({ source: expression, input, timeoutMs: remainingMs(), signal, onTurn }),
    isIdempotent: () => true,
  };
}

/** Keeps only the steps that the expression can refer to, because the journal stores the input. */
function named(scope: TemplateValues, words: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(scope).filter(([name]) => words.has(name)));
}
