import type { Definition } from "#lib/contract/graph";
import { returnOutputKind } from "#lib/core/steps/return-output/return-output-kind";
import { isJsonObject } from "#lib/support/json";

/**
 * Makes the output properties of a new workflow required if they do not say whether they are. Definitions from before
 * `required` existed keep their meaning, so only a new draft gets this default.
 */
export function requireOutputs({ nodes, edges }: Definition): Definition {
  const required = nodes.map((node) => {
    const { properties } = node.data;
    if (node.type !== returnOutputKind.type || !Array.isArray(properties)) return node;
    return { ...node, data: { ...node.data, properties: properties.map(withDefault) } };
  });
  return { nodes: required, edges };
}

function withDefault(property: unknown): unknown {
  return isJsonObject(property) && property.required === undefined ? { ...property, required: true } : property;
}
