import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import type { Caller } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { pageInput } from "#lib/api/operations/define/list-page";
import { optionsInput } from "#lib/api/operations/define/options-input";
import {
  allowConnectionHostInput,
  connectionIdSchema,
  createConnectionInput,
  renameConnectionInput,
  replaceCredentialsInput,
  startAuthorizationInput,
} from "#lib/contract/connection/connection-inputs";
import {
  circuitSchema,
  connectionSchema,
  connectionToolsSchema,
  connectorKindSchema,
  testedConnectionSchema,
} from "#lib/contract/connection/connection-schema";
import { fieldOptionsPageSchema } from "#lib/contract/connector/connector-schema";
import { ApiError } from "#lib/contract/error/api-error";
import { countSchema, wireListOf, wirePageOf } from "#lib/contract/wire/wire-values";
import { allowHost } from "#lib/domain/connections/allow-host";
import { createConnection } from "#lib/domain/connections/create-connection";
import { deleteConnection } from "#lib/domain/connections/delete-connection";
import { listCircuits } from "#lib/domain/connections/list-circuits";
import { listConnectionKinds } from "#lib/domain/connections/list-connection-kinds";
import { listConnections } from "#lib/domain/connections/list-connections";
import { listFieldOptions } from "#lib/domain/connections/list-field-options";
import { listModels } from "#lib/domain/connections/list-models";
import { startAuthorization } from "#lib/domain/connections/oauth/start-authorization";
import { renameConnection } from "#lib/domain/connections/rename-connection";
import { replaceCredentials } from "#lib/domain/connections/replace-credentials";
import { testConnection } from "#lib/domain/connections/test-connection";
import { getConnectionTools, refreshConnectionTools } from "#lib/domain/connections/tools/get-connection-tools";
import { retryListeners } from "#lib/domain/triggers/listeners/retry-listeners";
import { sameSitePath } from "#lib/support/same-site-path";

const connection = { connection_id: connectionIdSchema };

/** Returns the workspace, the connection and the actor for a use case. A connection of another workspace is not found. */
function target(caller: Caller, input: { connection_id: string }) {
  return { workspaceId: caller.workspaceId, connectionId: input.connection_id, actor: actorOf(caller) };
}

/** Editors connect the services that their workflows call. Viewers see the connections but not their secrets. */
export const listConnectionKindsOperation = defineOperation({
  name: "list_connection_kinds",
  title: "List connection kinds",
  description: "Lists the services that a connection can be made to, with the fields of each form.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  output: wireListOf(connectorKindSchema),
  run: async () => ({ data: listConnectionKinds() }),
});

export const listConnectionsOperation = defineOperation({
  name: "list_connections",
  title: "List connections",
  description: "Lists the workspace's connections with the workflows that use them. Never returns secrets.",
  scope: "web",
  role: "viewer",
  input: z.object(pageInput),
  output: wirePageOf(connectionSchema),
  run: (caller, { limit, cursor }) => listConnections(caller.workspaceId, { limit, cursor }),
});

export const listCircuitsOperation = defineOperation({
  name: "list_circuits",
  title: "List paused connectors",
  description: "Lists the connectors whose calls are paused after too many failures, with their last failure.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  output: wireListOf(circuitSchema),
  run: async (caller) => ({ data: await listCircuits(caller.workspaceId) }),
});

export const retryListenersOperation = defineOperation({
  name: "retry_listeners",
  title: "Receive events again",
  description: "Retries at once to receive the events of a connection after receiving them failed.",
  scope: "web",
  role: "editor",
  input: z.object(connection),
  output: z.object({ connection_id: z.uuid(), retried: countSchema }),
  run: async (caller, { connection_id }) => ({
    connection_id,
    retried: await retryListeners(caller.workspaceId, connection_id),
  }),
});

export const createConnectionOperation = defineOperation({
  name: "create_connection",
  title: "Create connection",
  description: "Tests credentials and stores them encrypted.",
  scope: "web",
  role: "editor",
  input: createConnectionInput,
  output: testedConnectionSchema,
  run: (caller, { accept_failure, ...input }) =>
    createConnection({
      ...input,
      workspaceId: caller.workspaceId,
      userId: caller.userId,
      actor: actorOf(caller),
      acceptFailure: accept_failure ?? false,
    }),
});

export const startAuthorizationOperation = defineOperation({
  name: "start_authorization",
  title: "Sign a connection in",
  description: "Starts the OAuth sign-in of a new connection, or of a connection whose sign-in expired.",
  scope: "web",
  role: "editor",
  input: startAuthorizationInput,
  output: z.object({ authorize_url: z.string() }),
  run: ({ workspaceId, userId }, input) => {
    const { connection_id: connectionId, connector, name: given, auth, fields = {}, return_to: path } = input;
    const returnTo = sameSitePath(path) ?? "/connections";
    if (connectionId) return startAuthorization({ workspaceId, userId, target: { connectionId }, returnTo });
    if (!connector || !given || !auth) {
      throw new ApiError("BAD_REQUEST", "connector, name and auth are required for a new connection");
    }
    return startAuthorization({ workspaceId, userId, target: { connector, name: given, auth, fields }, returnTo });
  },
});

export const renameConnectionOperation = defineOperation({
  name: "rename_connection",
  title: "Rename connection",
  description: "Renames a connection. Workflows that use it are not affected.",
  scope: "web",
  role: "editor",
  input: renameConnectionInput,
  output: connectionSchema,
  run: (caller, input) => renameConnection({ ...target(caller, input), name: input.name }),
});

export const replaceCredentialsOperation = defineOperation({
  name: "replace_credentials",
  title: "Replace credentials",
  description: "Tests new credentials and replaces the connection's old ones with them.",
  scope: "web",
  role: "editor",
  input: replaceCredentialsInput,
  output: testedConnectionSchema,
  run: (caller, input) =>
    replaceCredentials({
      ...target(caller, input),
      auth: input.auth,
      fields: input.fields,
      acceptFailure: input.accept_failure ?? false,
    }),
});

export const allowConnectionHostOperation = defineOperation({
  name: "allow_connection_host",
  title: "Allow a host",
  description: "Lets a connection send its credentials to another host.",
  scope: "web",
  // An editor could send a secret that they do not know to their own host.
  role: "admin",
  input: allowConnectionHostInput,
  output: connectionSchema,
  run: (caller, input) => allowHost({ ...target(caller, input), origin: input.origin }),
});

export const testConnectionOperation = defineOperation({
  name: "test_connection",
  title: "Test connection",
  description: "Checks whether the service still accepts the connection's credentials.",
  scope: "web",
  role: "editor",
  input: z.object(connection),
  output: testedConnectionSchema,
  run: (caller, input) => testConnection(target(caller, input)),
});

export const listModelsOperation = defineOperation({
  name: "list_models",
  title: "List models",
  description: "Lists the models that a connection to a model provider offers.",
  scope: "web",
  role: "editor",
  input: z.object(connection),
  output: wireListOf(z.string()),
  run: (caller, input) => listModels(caller.workspaceId, input.connection_id),
});

export const listFieldOptionsOperation = defineOperation({
  name: "list_field_options",
  title: "List the choices of a field",
  description: "Lists the values that a param of an operation or a trigger can have, as the service reports them now.",
  scope: "web",
  role: "editor",
  input: z.object({
    ...connection,
    connector: z.string().min(1).max(100),
    operation: z.string().min(1).max(100).describe("Or the event of a trigger."),
    field: optionsInput.field,
    params: optionsInput.params.optional(),
    query: optionsInput.query.optional(),
    cursor: optionsInput.cursor.optional(),
  }),
  output: fieldOptionsPageSchema,
  run: (caller, { connection_id: connectionId, params = {}, query = "", cursor = null, ...asked }) =>
    listFieldOptions({ ...asked, workspaceId: caller.workspaceId, connectionId, params, query, cursor }),
});

export const deleteConnectionOperation = defineOperation({
  name: "delete_connection",
  title: "Delete connection",
  description: "Deletes a connection that no workflow uses.",
  scope: "web",
  role: "editor",
  input: z.object(connection),
  output: z.object({ connection_id: z.uuid(), deleted: z.literal(true) }),
  run: (caller, input) => deleteConnection(target(caller, input)),
});

export const getConnectionToolsOperation = defineOperation({
  name: "get_connection_tools",
  title: "Get connection tools",
  description: "Lists the tools of a connection's MCP server with their schemas, as they were read last.",
  scope: "web",
  role: "viewer",
  input: z.object(connection),
  output: connectionToolsSchema,
  run: ({ workspaceId }, { connection_id }) => getConnectionTools(workspaceId, connection_id),
});

export const refreshConnectionToolsOperation = defineOperation({
  name: "refresh_connection_tools",
  title: "Refresh connection tools",
  description: "Reads the tools of a connection's MCP server again.",
  scope: "web",
  role: "editor",
  input: z.object(connection),
  output: connectionToolsSchema,
  run: ({ workspaceId }, { connection_id }) => refreshConnectionTools(workspaceId, connection_id),
});
