import type { GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import type { PreparedNode } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { coerceValue } from "#lib/core/steps/coerce-value";
import { parseData } from "#lib/core/steps/parse-data";
import { returnOutputKind } from "#lib/core/steps/return-output/return-output-kind";

/** Builds the output of the run: resolves every property and converts it to its declared type. */
export function prepareReturnOutput(node: GraphNode): PreparedNode<JsonObject> {
  const { properties } = parseData(returnOutputKind, node);
  const templates = Object.fromEntries(properties.map((property) => [property.name, property.value]));
  return {
    resolveInput: (scope) => resolveTemplate(templates, scope) as JsonObject,
    execute: (input) =>
      Object.fromEntries(properties.map(({ name, type }) => [name, coerceValue(name, type, input[name])])),
  };
}
