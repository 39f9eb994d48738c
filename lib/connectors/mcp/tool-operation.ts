import { callMcpTool, toolArguments } from "#lib/connectors/mcp/call-mcp-tool";
import type { McpService } from "#lib/connectors/mcp/send-message";
import type { ToolDefinition } from "#lib/connectors/mcp/tool-definition";
import { withSession } from "#lib/connectors/mcp/with-session";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { ConnectorOperation, OperationContext } from "#lib/core/engine/ports";

/**
 * Defines a tool as an operation of the connector `mcp`. Its arguments are checked against the schema that the version
 * pinned before anything is sent, in a process of its own: a schema from a server can be made to take hours.
 */
export function toolOperation(tool: ToolDefinition): ConnectorOperation {
  return {
    isIdempotent: () => tool.isRepeatable,
    call: async (params, context) => {
      const { connection } = context;
      if (!connection) throw new StepError("connection_missing", "connection_id: is required");
      const given = toolArguments(params);
      await checkArguments(tool, given, context);
      const service = serviceOf(connection, context);
      return withSession(service, connection.id, (session) => callMcpTool(service, session, tool, given));
    },
  };
}

function serviceOf(
  { settings, onToolsChanged }: NonNullable<OperationContext["connection"]>,
  { send, signal, now, idempotencyKey, traceparent, noteNumber }: OperationContext,
): McpService {
  const headers = { "idempotency-key": idempotencyKey, traceparent };
  return { settings, send, signal, now, onToolsChanged, noteNumber, headers };
}

/** @throws StepError VALIDATION_ERROR naming the parameter */
async function checkArguments(tool: ToolDefinition, params: JsonObject, { compute, signal }: OperationContext) {
  const [error] = await compute.checkValue(params, tool.inputSchema, signal);
  if (!error) return;
  const where = error.pointer === "" ? "params" : `params${error.pointer.replaceAll("/", ".")}`;
  const fault = error.message.slice(error.field.length).trim();
  throw new StepError("VALIDATION_ERROR", `${where} ${fault}`);
}
