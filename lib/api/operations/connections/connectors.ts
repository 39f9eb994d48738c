import { z } from "zod";
import type { Caller } from "#lib/api/operations/define/caller";
import { authorize, defineOperation } from "#lib/api/operations/define/define-operation";
import { optionsInput } from "#lib/api/operations/define/options-input";
import {
  type ConnectorObject,
  describeConnectors,
  findConnectorOperations,
  findOperationSchema,
} from "#lib/connectors/describe-connectors";
import { describeCustom, describeCustomOperation, describeCustomSchema } from "#lib/connectors/describe-custom";
import { MCP } from "#lib/connectors/mcp/connector";
import type { ConnectionObject } from "#lib/contract/connection/connection";
import { CONNECTOR_KINDS } from "#lib/contract/connector/connector";
import {
  connectedConnectorSchema,
  connectorOperationSchema,
  fieldOptionsPageSchema,
  operationSchemaSchema,
} from "#lib/contract/connector/connector-schema";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { Page } from "#lib/contract/wire/page";
import { wireListOf, wirePageOf } from "#lib/contract/wire/wire-values";
import { catalogAppSchema } from "#lib/contract/workflow/step-catalog-schema";
import { listConnections } from "#lib/domain/connections/list-connections";
import { listFieldOptions, noChoices } from "#lib/domain/connections/list-field-options";
import { listStepCatalog } from "#lib/domain/connections/list-step-catalog";
import { getToolSchema, listToolOperations } from "#lib/domain/connections/tools/describe-tools";
import { listServerTools } from "#lib/domain/connections/tools/list-server-tools";
import { connectorNotFound, operationNotFound } from "#lib/domain/custom-connectors/get-custom-connector";
import { listCustomConnectors } from "#lib/domain/custom-connectors/list-custom-connectors";
import { type CustomConnector, loadCustomConnectors } from "#lib/domain/custom-connectors/load-custom-connectors";
import { db } from "#lib/platform/db/pool";

const connector = z.string().max(100).describe("connector from list_connectors.");

export const listConnectorsOperation = defineOperation({
  name: "list_connectors",
  title: "List connectors",
  description:
    "Lists the services that connector and llm nodes of a workflow can call, with their operations and the workspace's " +
    "connections to them. A node references a connection by its connection_id.",
  scope: "connectors:read",
  role: "viewer",
  mcp: { readOnly: true, sets: ["build"] },
  input: z.object({
    q: z.string().trim().max(200).optional().describe("Text that the name or description must contain."),
    kind: z.enum(CONNECTOR_KINDS).optional(),
  }),
  output: wirePageOf(connectedConnectorSchema),
  run: async (caller, { q = "", kind }) => {
    const { data: connections } = await listConnections(caller.workspaceId, { limit: LIMITS.pageSizeMax });
    const isAsked = (text: string) => text.toLowerCase().includes(q.toLowerCase());
    const custom = (await listCustomConnectors(caller.workspaceId)).map(describeCustom);
    const tools = new Set((await listServerTools(caller.workspaceId)).map(({ tool }) => tool));
    const builtIn = describeConnectors().map((item) => {
      return item.connector === MCP ? { ...item, operations: [...tools] } : item;
    });
    const data = [...builtIn, ...custom].filter((item) => {
      const isNamed = isAsked(item.connector) || isAsked(item.name) || isAsked(item.description);
      return isNamed && (kind === undefined || item.kind === kind);
    });
    return onePage(data.map((item) => ({ ...item, connections: connectionsOf(item, connections) })));
  },
});

export const getConnectorOperationsOperation = defineOperation({
  name: "get_connector_operations",
  title: "Get connector operations",
  description:
    "Lists the operations of one connector. get_operation_schema returns the params of an operation. The operations of " +
    "connector mcp are the tools of the workspace's MCP servers.",
  scope: "connectors:read",
  role: "viewer",
  mcp: { readOnly: true, sets: ["build"] },
  input: z.object({
    connector,
    connection_id: z.uuid().optional().describe("Only for connector mcp: the connection whose tools to list."),
    kind: z
      .enum(["action", "trigger"])
      .optional()
      .describe("action: operations that a node calls. trigger: events that start a workflow."),
  }),
  output: wirePageOf(connectorOperationSchema),
  run: async (caller, input) => {
    if (input.connector === MCP) return onePage(await listToolOperations(caller.workspaceId, input.connection_id));
    const custom = await findCustom(caller, input.connector);
    const operations =
      custom?.definition.operations.map((item) => describeCustomOperation(custom.slug, item)) ??
      findConnectorOperations(input.connector);
    if (!operations) throw connectorNotFound(input.connector);
    return onePage(operations.filter(({ kind }) => input.kind === undefined || kind === input.kind));
  },
});

export const getOperationSchemaOperation = defineOperation({
  name: "get_operation_schema",
  title: "Get operation schema",
  description:
    "Returns the JSON Schemas of an operation's params and output, and the data of a connector node that calls it. With " +
    "connection_id and field (one of option_fields), also returns the values that the service offers for that param.",
  scope: "connectors:read",
  role: "viewer",
  mcp: { readOnly: true, openWorld: true, sets: ["build"] },
  input: z.object({
    connector,
    operation: z.string().max(LIMITS.mcpNameCharacters).describe("operation from get_connector_operations."),
    connection_id: z
      .uuid()
      .optional()
      .describe("connection_id from list_connectors. Required with field, and if several MCP servers have the tool."),
    field: optionsInput.field.optional(),
    params: optionsInput.params.optional(),
    query: optionsInput.query.optional(),
    cursor: optionsInput.cursor.optional(),
  }),
  output: operationSchemaSchema.extend(fieldOptionsPageSchema.partial().shape),
  run: async (caller, { connection_id, field, params, query, cursor, ...input }) => {
    if (input.connector === MCP && field === undefined) {
      return getToolSchema(caller.workspaceId, connection_id, input.operation);
    }
    const custom = await findCustom(caller, input.connector);
    const operation = custom?.definition.operations.find(({ name }) => name === input.operation);
    const schema =
      custom && operation
        ? describeCustomSchema(custom.slug, operation)
        : findOperationSchema(input.connector, input.operation);
    if (schema && field === undefined) return schema;
    if (schema && field !== undefined) {
      const request = { ...input, field, params: params ?? {}, query: query ?? "", cursor: cursor ?? null };
      return { ...schema, ...(await listChoices(caller, connection_id, request, custom)) };
    }
    const known = custom?.definition.operations ?? findConnectorOperations(input.connector);
    if (!known) throw connectorNotFound(input.connector);
    const names = known.map((item) => ("operation" in item ? item.operation : item.name));
    throw operationNotFound(input.connector, input.operation, names);
  },
});

/** Everything that the step picker of the web application searches, in one answer that the browser keeps. */
export const listStepCatalogOperation = defineOperation({
  name: "list_step_catalog",
  title: "List step catalog",
  description: "Lists the services that steps can call, with all their operations and the connections that fit them.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  output: wireListOf(catalogAppSchema),
  run: async ({ workspaceId }) => ({ data: await listStepCatalog(workspaceId) }),
});

/** Lists the values of a field. They are data of the connection, so the caller must be able to edit workflows. */
function listChoices(
  caller: Caller,
  connectionId: string | undefined,
  request: Omit<Parameters<typeof listFieldOptions>[0], "workspaceId" | "connectionId">,
  custom: CustomConnector | null,
) {
  authorize({ scope: "workflows:write", role: "editor" }, caller);
  if (connectionId === undefined) throw new ApiError("BAD_REQUEST", "connection_id: is required with field");
  if (custom) throw noChoices(request.field);
  return listFieldOptions({ ...request, workspaceId: caller.workspaceId, connectionId });
}

/** Returns what a node needs to reference a connection. People create connections in the web application. */
function connectionsOf({ connector, kind }: ConnectorObject, connections: readonly ConnectionObject[]) {
  // A custom connector uses the generic HTTP connections, whose hosts a person confirmed.
  const name = kind === "custom" ? "http" : connector;
  const own = connections.filter((connection) => connection.connector === name);
  return own.map(({ connection_id, name, status }) => ({ connection_id, name, status }));
}

/** Returns a custom connector of the caller's workspace, or null. Built-in connectors are never returned. */
async function findCustom({ workspaceId }: Caller, name: string): Promise<CustomConnector | null> {
  if (findConnectorOperations(name)) return null;
  return (await loadCustomConnectors(db(), workspaceId, [name])).get(name) ?? null;
}

/** Wraps all items in the envelope of every list (decisions, Lists). The lists are short, so one page is enough. */
function onePage<Item>(data: Item[]): Page<Item> {
  return { data, has_more: false, next_cursor: null };
}
