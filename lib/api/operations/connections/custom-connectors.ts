import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import type { CustomDefinition } from "#lib/connectors/custom/custom-definition";
import { describeOperations } from "#lib/connectors/custom/describe-operations";
import { describedOperationSchema } from "#lib/contract/connector/connector-inputs";
import {
  customConnectorItemSchema,
  customConnectorSchema,
  triedOperationSchema,
} from "#lib/contract/connector/connector-schema";
import { wireListOf } from "#lib/contract/wire/wire-values";
import { deleteConnector } from "#lib/domain/connections/delete-connector";
import { tryOperation } from "#lib/domain/connections/try-operation";
import { findConnectorDefinition } from "#lib/domain/custom-connectors/find-connector-definition";
import { connectorNotFound, getCustomConnector } from "#lib/domain/custom-connectors/get-custom-connector";
import { listCustomConnectors } from "#lib/domain/custom-connectors/list-custom-connectors";

const connector = z.string().min(1).max(100);

/** Operations of the connector pages of the web application. Agents use build_connector and the related tools. */
const listCustomConnectorsOperation = defineOperation({
  name: "list_custom_connectors",
  title: "List the workspace's connectors",
  description: "Lists the connectors that were built for this workspace.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  output: wireListOf(customConnectorItemSchema),
  run: async ({ workspaceId }) => {
    const items = await listCustomConnectors(workspaceId);
    return { data: items.map((item) => ({ ...item, operations: item.operations.length })) };
  },
});

const getCustomConnectorOperation = defineOperation({
  name: "get_custom_connector",
  title: "Get a connector of the workspace",
  description: "Returns a connector's operations, its builds with the changes of each, and the workflows that use it.",
  scope: "web",
  role: "viewer",
  input: z.object({ connector }),
  output: customConnectorSchema,
  run: ({ workspaceId }, input) => getCustomConnector(workspaceId, input.connector),
});

const describeCustomConnectorOperation = defineOperation({
  name: "describe_custom_connector",
  title: "Describe a connector's operations",
  description: "Returns the operations of a connector as editable descriptions, to build the connector again from.",
  scope: "web",
  role: "editor",
  input: z.object({ connector }),
  output: wireListOf(describedOperationSchema),
  run: async ({ workspaceId }, input) => {
    const stored = await findConnectorDefinition(workspaceId, input.connector);
    if (!stored) throw connectorNotFound(input.connector);
    return { data: describeOperations(JSON.parse(stored.json) as CustomDefinition) };
  },
});

const deleteConnectorOperation = defineOperation({
  name: "delete_connector",
  title: "Delete a connector of the workspace",
  description: "Deletes a connector that no workflow uses.",
  scope: "web",
  role: "editor",
  input: z.object({ connector }),
  output: z.object({ connector: z.string(), deleted: z.literal(true) }),
  run: (caller, input) =>
    deleteConnector({ workspaceId: caller.workspaceId, slug: input.connector, actor: actorOf(caller) }),
});

const testOperationOperation = defineOperation({
  name: "test_operation",
  title: "Test an operation",
  description: "Calls one operation of a connector like a step does, and returns the request and the response.",
  scope: "web",
  role: "editor",
  input: z.object({
    connector,
    operation: z.string().min(1).max(100),
    connection_id: z.uuid().optional(),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
  output: triedOperationSchema,
  run: (caller, { connection_id, params = {}, ...input }) => {
    const { workspaceId } = caller;
    return tryOperation({ ...input, workspaceId, actor: actorOf(caller), params, connectionId: connection_id ?? null });
  },
});

export const CUSTOM_CONNECTOR_OPERATIONS = [
  listCustomConnectorsOperation,
  getCustomConnectorOperation,
  describeCustomConnectorOperation,
  deleteConnectorOperation,
  testOperationOperation,
] as const;
