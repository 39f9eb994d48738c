import type { z } from "zod";
import type { Definition } from "#lib/contract/graph";
import type { InputSchema, OutputSchema, PropertySchema } from "#lib/contract/json-schema";
import { actionInputKind } from "#lib/core/steps/action-input/action-input-kind";
import type { InputProperty } from "#lib/core/steps/action-input/input-properties";
import type { StepKind } from "#lib/core/steps/define-step-kind";
import type { OutputProperty } from "#lib/core/steps/return-output/output-properties";
import { returnOutputKind } from "#lib/core/steps/return-output/return-output-kind";
import { setOwn } from "#lib/support/json";

/**
 * Returns the properties of all nodes of a kind. Nodes whose configuration is incomplete, as in a draft, do not count.
 */
function propertiesOf<Property>(
  definition: Definition,
  kind: StepKind<string, z.ZodType<{ properties: Property[] }>>,
): Property[] {
  const nodes = definition.nodes.filter((node) => node.type === kind.type);
  return nodes.flatMap((node) => kind.data.safeParse(node.data).data?.properties ?? []);
}

function inputPropertySchema(property: InputProperty): PropertySchema {
  const { type, description, items } = property;
  return {
    type,
    ...(description ? { description } : {}),
    ...(property.enum ? { enum: property.enum } : {}),
    ...(property.default === undefined ? {} : { default: property.default }),
    ...(items ? { items: { type: items.type } } : {}),
  };
}

function outputPropertySchema({ type, description }: OutputProperty): PropertySchema {
  return { type, ...(description ? { description } : {}) };
}

/**
 * Derives the public contract of the action (contract, Workflows and versions). Keys that were not given are left out.
 */
export function deriveInputSchema(definition: Definition): InputSchema {
  const properties = propertiesOf(definition, actionInputKind);
  const schema: InputSchema = { type: "object", properties: {}, required: [] };
  for (const property of properties) {
    setOwn(schema.properties, property.name, inputPropertySchema(property));
    if (property.required) schema.required.push(property.name);
  }
  return schema;
}

/**
 * Derives what the action returns: the properties of all its Return Output nodes. If two nodes name the same property,
 * the first node wins. Null if there are none (contract, Workflows and versions).
 */
export function deriveOutputSchema(definition: Definition): OutputSchema | null {
  const schema: OutputSchema = { type: "object", properties: {} };
  for (const property of propertiesOf(definition, returnOutputKind)) {
    if (Object.hasOwn(schema.properties, property.name)) continue;
    setOwn(schema.properties, property.name, outputPropertySchema(property));
  }
  return Object.keys(schema.properties).length > 0 ? schema : null;
}
