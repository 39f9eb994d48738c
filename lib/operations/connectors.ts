import { z } from "zod";
import {
  CONNECTOR_KINDS,
  describeConnectors,
  findConnectorOperations,
  findOperationSchema,
} from "#lib/connectors/describe-connectors";
import { ApiError } from "#lib/contract/api-error";
import { defineOperation } from "#lib/operations/define-operation";

const connector = z.string().max(100).describe("As list_connectors names it.");

export const listConnectorsOperation = defineOperation({
  name: "list_connectors",
  title: "List connectors",
  description: "The services that connector and llm nodes of a workflow can call, with their operations.",
  scope: "connectors:read",
  role: "viewer",
  mcp: { readOnly: true },
  input: z.object({
    q: z.string().trim().max(200).optional().describe("Part of the name or description."),
    kind: z.enum(CONNECTOR_KINDS).optional(),
  }),
  run: async (_caller, { q = "", kind }) => {
    const isAsked = (text: string) => text.toLowerCase().includes(q.toLowerCase());
    const data = describeConnectors().filter((item) => {
      const isNamed = isAsked(item.connector) || isAsked(item.name) || isAsked(item.description);
      return isNamed && (kind === undefined || item.kind === kind);
    });
    return onePage(data);
  },
});

export const getConnectorOperationsOperation = defineOperation({
  name: "get_connector_operations",
  title: "Get connector operations",
  description: "What one connector can do; get_operation_schema says how to ask for it.",
  scope: "connectors:read",
  role: "viewer",
  mcp: { readOnly: true },
  input: z.object({
    connector,
    kind: z.enum(["action", "trigger"]).optional().describe("What it does, or what starts a workflow."),
  }),
  run: async (_caller, input) => {
    const operations = findConnectorOperations(input.connector);
    if (!operations) throw unknownConnector(input.connector);
    return onePage(operations.filter(({ kind }) => input.kind === undefined || kind === input.kind));
  },
});

export const getOperationSchemaOperation = defineOperation({
  name: "get_operation_schema",
  title: "Get operation schema",
  description: "JSON Schemas of one operation's params and output, and the data of a connector node that calls it.",
  scope: "connectors:read",
  role: "viewer",
  mcp: { readOnly: true },
  input: z.object({ connector, operation: z.string().max(100).describe("As get_connector_operations names it.") }),
  run: async (_caller, input) => {
    const schema = findOperationSchema(input.connector, input.operation);
    if (schema) return schema;
    if (!findConnectorOperations(input.connector)) throw unknownConnector(input.connector);
    throw new ApiError("NOT_FOUND", `The connector ${input.connector} has no such operation.`);
  },
});

/** There are few of them; the envelope is that of every list (decisions, Lists). */
function onePage<Item>(data: Item[]): { data: Item[]; has_more: false; next_cursor: null } {
  return { data, has_more: false, next_cursor: null };
}

function unknownConnector(name: string): ApiError {
  return new ApiError("NOT_FOUND", `There is no connector ${JSON.stringify(name)}; list_connectors names them.`);
}
