import type { GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import type { PreparedNode } from "#lib/engine/plan";
import { resolveTemplate } from "#lib/expressions/resolve-template";
import { parseData } from "#lib/nodes/parse-data";

/** An object made of templates: its fields, resolved. */
export function prepareTransform(node: GraphNode): PreparedNode<JsonObject> {
  const { fields } = parseData("transform", node);
  const templates = Object.fromEntries(fields.map((field) => [field.name, field.value]));
  return {
    hasSideEffects: false,
    resolveInput: (scope) => resolveTemplate(templates, scope) as JsonObject,
    execute: (input) => input,
  };
}
