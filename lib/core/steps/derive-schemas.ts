import type { z } from "zod";
import type { InputSchema, OutputSchema, PropertySchema } from "#lib/contract/wire/json-schema";
import type { Definition, NodeType } from "#lib/contract/workflow/graph";
import { aliasRules } from "#lib/core/input/input-aliases";
import { actionInputData } from "#lib/core/steps/action-input/action-input-data";
import { type InputProperty, valueSchema } from "#lib/core/steps/action-input/value-schema";
import type { OutputProperty } from "#lib/core/steps/return-output/output-properties";
import { returnOutputData } from "#lib/core/steps/return-output/return-output-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { setOwn } from "#lib/support/json";
import { parseGiven } from "#lib/support/leave-out-nulls";

/**
 * Returns the properties of all nodes of a kind. Nodes whose configuration is incomplete, as in a draft, do not count.
 */
function propertiesOf<Property>(
  definition: Definition,
  [type, schema]: readonly [type: NodeType, schema: z.ZodType<{ properties: Property[] }>],
): Property[] {
  const nodes = definition.nodes.filter((node) => node.type === type);
  return nodes.flatMap((node) => parseGiven(schema, node.data).data?.properties ?? []);
}

function inputPropertySchema({ default: initial, ...property }: InputProperty): PropertySchema {
  return { ...valueSchema(property), ...(initial === undefined || initial === null ? {} : { default: initial }) };
}

function outputPropertySchema({ type, description }: OutputProperty): PropertySchema {
  return { type, ...(description ? { description } : {}) };
}

/** Adds the old names of a field as deprecated fields of the same type. Only the current name has the default. */
function addAliases(schema: InputSchema, property: InputProperty, aliases: readonly string[]): void {
  const { name, required: isRequired } = property;
  const { description: _description, default: _default, ...same } = inputPropertySchema(property);
  for (const alias of aliases) {
    setOwn(schema.properties, alias, { ...same, description: `Old name of ${name}: send ${name}.`, deprecated: true });
  }
  schema.allOf = [...(schema.allOf ?? []), ...aliasRules({ name, isRequired, aliases })];
}

/**
 * Derives the public contract of the action (contract, Workflows and versions). Keys that were not given are left out.
 */
export function deriveInputSchema(definition: Definition): InputSchema {
  const properties = propertiesOf(definition, ["action_input", actionInputData]);
  const schema: InputSchema = { type: "object", properties: {}, required: [] };
  for (const property of properties) {
    setOwn(schema.properties, property.name, inputPropertySchema(property));
    if (property.aliases) addAliases(schema, property, property.aliases);
    else if (property.required) schema.required.push(property.name);
  }
  return schema;
}

/**
 * Derives what the action returns: the properties of all its Return Output nodes. If two nodes name the same property,
 * the first node wins. Null if there are none (contract, Workflows and versions).
 */
export function deriveOutputSchema(definition: Definition): OutputSchema | null {
  const schema: OutputSchema = { type: "object", properties: {} };
  for (const property of propertiesOf(definition, ["return_output", returnOutputData])) {
    if (Object.hasOwn(schema.properties, property.name)) continue;
    setOwn(schema.properties, property.name, outputPropertySchema(property));
  }
  const required = Object.keys(schema.properties).filter((name) => isAlwaysReturned(definition, name));
  if (required.length > 0) schema.required = required;
  return Object.keys(schema.properties).length > 0 ? schema : null;
}

/** A run may end at any of the Return Output nodes, so each of them has to require the property. */
function isAlwaysReturned(definition: Definition, name: string): boolean {
  const ends = definition.nodes.filter((node) => STEP_KINDS[node.type].isResult);
  return ends.every((node) =>
    parseGiven(returnOutputData, node.data).data?.properties.some(
      (property) => property.name === name && property.required,
    ),
  );
}
