import type { ConnectorOperationObject, OperationSchemaObject } from "#lib/connectors/describe-connectors";
import { MCP } from "#lib/connectors/mcp/connector";
import type { ToolDefinition } from "#lib/connectors/mcp/tool-definition";
import type { JsonObject } from "#lib/contract/json-schema";

/** Describes a tool as an operation of the connector. */
export function describeTool(
  { name, title, description }: Pick<ToolDefinition, "name" | "title" | "description">,
  connectionId: string,
): ConnectorOperationObject {
  return { connector: MCP, operation: name, name: title, description, kind: "action", connection_id: connectionId };
}

export function describeToolSchema(tool: ToolDefinition, connectionId: string): OperationSchemaObject {
  return {
    ...describeTool(tool, connectionId),
    params_schema: tool.inputSchema,
    output_schema: outputSchemaOf(tool),
    option_fields: [],
    example: {
      ...{ connector: MCP, operation: tool.name, connection_id: connectionId },
      params: exampleOf(tool.inputSchema),
    },
  };
}

function outputSchemaOf({ outputSchema }: ToolDefinition): JsonObject {
  return {
    type: "object",
    properties: {
      data: outputSchema ?? { description: "The JSON of the text, if it is JSON; otherwise null." },
      text: { type: "string" },
      content: { type: "array", items: { type: "object" } },
    },
  };
}

function exampleOf({ required }: JsonObject): JsonObject {
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  return Object.fromEntries(names.map((name) => [name, `{{action_input.${name}}}`]));
}
