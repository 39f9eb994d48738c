import { z } from "zod";
import { CONNECTORS, findConnector, findTrigger } from "#lib/connectors/registry";
import type { OperationGuide } from "#lib/connectors/sdk/connector-operation";
import type { ConnectorDefinition } from "#lib/connectors/sdk/define-connector";
import type { TriggerDefinition } from "#lib/connectors/sdk/define-trigger";
import { readOptionSource } from "#lib/contract/action/field-options";
import { describePlaceRule, readPlaceRule } from "#lib/contract/action/field-places";
import type {
  connectorObjectSchema,
  connectorOperationSchema,
  operationSchemaSchema,
} from "#lib/contract/connector/connector-schema";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject } from "#lib/support/json";

/** A connector as agents see it when they choose one. */
export type ConnectorObject = z.output<typeof connectorObjectSchema>;
export type ConnectorOperationObject = z.output<typeof connectorOperationSchema>;
export type OperationSchemaObject = z.output<typeof operationSchemaSchema>;

export function describeConnectors(): ConnectorObject[] {
  return CONNECTORS.map((connector) => ({
    connector: connector.name,
    name: connector.label,
    description: connector.description,
    kind: "builtin",
    serves_models: connector.listModels !== undefined,
    auths: connector.auths.map((auth) => ({ auth: auth.name, name: auth.label })),
    operations: guidesOf(connector).map(([operation]) => operation),
    triggers: Object.keys(connector.triggers ?? {}),
  }));
}

/** Lists the operations of a connector, then its triggers; null if the connector does not exist. */
export function findConnectorOperations(name: string): ConnectorOperationObject[] | null {
  const connector = findConnector(name);
  if (!connector) return null;
  const described = (operation: string, item: Pick<OperationGuide, "title" | "description">) => {
    return { connector: name, operation, name: item.title, description: item.description };
  };
  return [
    ...guidesOf(connector).map(([operation, guide]) => ({ ...described(operation, guide), kind: "action" as const })),
    ...Object.entries(connector.triggers ?? {}).map(([event, trigger]) => {
      return { ...described(event, trigger), kind: "trigger" as const };
    }),
  ];
}

/**
 * Describes one operation or trigger with its schemas; null if it does not exist. An operation takes precedence over a
 * trigger of the same name.
 */
export function findOperationSchema(name: string, operation: string): OperationSchemaObject | null {
  const connector = findConnector(name);
  const described = findConnectorOperations(name)?.find((item) => item.operation === operation);
  if (!connector || !described) return null;
  const guide = guidesOf(connector).find(([own]) => own === operation)?.[1];
  if (guide) {
    const params = describePlaces(jsonSchema(guide.params)) as JsonObject;
    return {
      ...described,
      params_schema: params,
      option_fields: optionFields(params),
      output_schema: jsonSchema(guide.output),
      example: { connector: name, operation, params: guide.example },
    };
  }
  const trigger = findTrigger(name, operation);
  return trigger ? { ...described, ...triggerSchemas(name, operation, trigger) } : null;
}

/** Returns the schemas of a trigger: of its `params`, and of its node's output (decisions, Connector events). */
function triggerSchemas(connector: string, event: string, { params, data }: TriggerDefinition) {
  const output = z.object({
    event: z.literal(event),
    id: z.string(),
    occurred_at: z.string().nullable(),
    received_at: z.string(),
    connector: z.literal(connector),
    connection_id: z.string(),
    data,
  });
  const schema = jsonSchema(params ?? z.object({}));
  return {
    params_schema: schema,
    option_fields: optionFields(schema),
    output_schema: jsonSchema(z.object({ output })),
    example: { kind: "connector", connector, event, connection_id: "<connection_id of list_connectors>", params: {} },
  };
}

function optionFields({ properties }: JsonObject): OperationSchemaObject["option_fields"] {
  return Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([field, property]) => {
    const source = readOptionSource(property);
    return source ? [{ field, depends_on: source.depends_on }] : [];
  });
}

/** Adds to the description of a field how it writes the values of expressions. */
function describePlaces(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(describePlaces);
  if (!isJsonObject(schema)) return schema;
  const rule = readPlaceRule(schema);
  const copy: JsonObject = {};
  for (const [name, item] of Object.entries(schema)) copy[name] = rule === null ? describePlaces(item) : item;
  if (rule === null) return copy;
  const description = typeof schema.description === "string" ? `${schema.description} ` : "";
  return { ...copy, description: description + describePlaceRule(rule) };
}

function guidesOf({ operations }: ConnectorDefinition): [string, OperationGuide][] {
  return Object.entries(operations).flatMap(([name, { guide }]) => (guide ? [[name, guide]] : []));
}

export function jsonSchema(schema: z.ZodType): JsonObject {
  const { $schema: _, ...own } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return own;
}
