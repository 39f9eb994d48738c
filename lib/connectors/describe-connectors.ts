import { z } from "zod";
import { OPERATION_GUIDES } from "#lib/connectors/operation-guides";
import { CONNECTORS } from "#lib/connectors/registry";
import type { JsonObject } from "#lib/contract/json-schema";

/** Where a connector comes from: ours, or made for one workspace. */
export const CONNECTOR_KINDS = ["builtin", "custom"] as const;
type ConnectorKind = (typeof CONNECTOR_KINDS)[number];

/** A connector as agents choose one. */
export interface ConnectorObject {
  connector: string;
  name: string;
  description: string;
  kind: ConnectorKind;
  /** True when its connections serve `llm` nodes. */
  serves_models: boolean;
  /** Ways to authenticate; a person makes the connection in the web application. */
  auths: { auth: string; name: string }[];
  /** What a `connector` node may name. */
  operations: string[];
}

export interface ConnectorOperationObject {
  connector: string;
  operation: string;
  name: string;
  description: string;
  kind: "action";
}

export interface OperationSchemaObject extends ConnectorOperationObject {
  /** JSON Schema of the node's `data.params`, and of its output. */
  params_schema: JsonObject;
  output_schema: JsonObject;
  /** `data` of a node that calls it. */
  example: JsonObject;
}

export function describeConnectors(): ConnectorObject[] {
  return CONNECTORS.map(({ name: connector, label, description, auths, listModels }) => ({
    connector,
    name: label,
    description,
    kind: "builtin",
    serves_models: listModels !== undefined,
    auths: auths.map((auth) => ({ auth: auth.name, name: auth.label })),
    operations: Object.keys(guidesOf(connector)),
  }));
}

/** The operations of a connector; null when there is no such connector. */
export function findConnectorOperations(connector: string): ConnectorOperationObject[] | null {
  if (!CONNECTORS.some(({ name }) => name === connector)) return null;
  return Object.entries(guidesOf(connector)).map(([operation, { title, description }]) => {
    return { connector, operation, name: title, description, kind: "action" };
  });
}

/** One operation with its schemas; null when there is none. */
export function findOperationSchema(connector: string, operation: string): OperationSchemaObject | null {
  const described = findConnectorOperations(connector)?.find((item) => item.operation === operation);
  const guide = guidesOf(connector)[operation];
  if (!described || !guide) return null;
  return {
    ...described,
    params_schema: jsonSchema(guide.params),
    output_schema: jsonSchema(guide.output),
    example: { connector, operation, params: guide.example },
  };
}

function guidesOf(connector: string): (typeof OPERATION_GUIDES)[string] {
  return (Object.hasOwn(OPERATION_GUIDES, connector) && OPERATION_GUIDES[connector]) || {};
}

function jsonSchema(schema: z.ZodType): JsonObject {
  const { $schema: _, ...own } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return own;
}
