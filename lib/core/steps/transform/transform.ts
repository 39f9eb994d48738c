import type { GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import type { PreparedNode, TemplateValues } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { parseData } from "#lib/core/steps/parse-data";
import { transformKind } from "#lib/core/steps/transform/transform-kind";

/** An object made of templates, its fields resolved; or the value of a JSONata expression. */
export function prepareTransform(node: GraphNode): PreparedNode<JsonObject> {
  const { fields = [], jsonata } = parseData(transformKind, node);
  if (jsonata !== undefined) return prepareJsonata(jsonata);
  const templates = Object.fromEntries(fields.map((field) => [field.name, field.value]));
  return {
    resolveInput: (scope) => resolveTemplate(templates, scope) as JsonObject,
    execute: (input) => input,
  };
}

/** Expressions are programs, so they run where user code does. Its document holds the steps it names, by their ids. */
function prepareJsonata(expression: string): PreparedNode<JsonObject> {
  const words = new Set(expression.match(/[A-Za-z_][A-Za-z0-9_]*/g));
  return {
    hasTimeLimit: true,
    resolveInput: (scope) => named(scope, words),
    execute: (input, { services, signal, remainingMs }) =>
      services.sandbox.evaluateJsonata({ source: expression, input, timeoutMs: remainingMs(), signal }),
    isIdempotent: () => true,
  };
}

/** The journal keeps the input: what the expression cannot mean would be there for nothing. */
function named(scope: TemplateValues, words: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(scope).filter(([name]) => words.has(name)));
}
