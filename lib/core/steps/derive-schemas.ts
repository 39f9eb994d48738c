import type { Definition, NodeType } from "#lib/contract/graph";
import type { InputSchema, OutputSchema, PropertySchema } from "#lib/contract/json-schema";
import type { InputProperty, OutputProperty } from "#lib/core/input/property-data";
import { type NodeData, nodeDataSchemas } from "#lib/core/steps/node-data";
import { setOwn } from "#lib/support/json";

/** The properties of every node of the type whose configuration is complete; a draft's other nodes do not count. */
function propertiesOf<Type extends "action_input" | "return_output">(
  definition: Definition,
  type: Type & NodeType,
): NodeData[Type]["properties"] {
  const properties: unknown[] = [];
  for (const node of definition.nodes) {
    if (node.type !== type) continue;
    const data = nodeDataSchemas[type].safeParse(node.data);
    if (data.success) properties.push(...data.data.properties);
  }
  return properties as NodeData[Type]["properties"];
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

/** The public contract of the action (contract, Workflows and versions). Keys that were not given do not appear. */
export function deriveInputSchema(definition: Definition): InputSchema {
  const properties = propertiesOf(definition, "action_input");
  const schema: InputSchema = { type: "object", properties: {}, required: [] };
  for (const property of properties) {
    setOwn(schema.properties, property.name, inputPropertySchema(property));
    if (property.required) schema.required.push(property.name);
  }
  return schema;
}

/**
 * What the action answers with: the properties of all its Return Output nodes together, the first node's word counting
 * where two name the same property. Null when none is defined (contract, Workflows and versions).
 */
export function deriveOutputSchema(definition: Definition): OutputSchema | null {
  const schema: OutputSchema = { type: "object", properties: {} };
  for (const property of propertiesOf(definition, "return_output")) {
    if (Object.hasOwn(schema.properties, property.name)) continue;
    setOwn(schema.properties, property.name, outputPropertySchema(property));
  }
  return Object.keys(schema.properties).length > 0 ? schema : null;
}
