import type { ConnectorOperationObject, OperationSchemaObject } from "#lib/connectors/describe-connectors";
import { MCP } from "#lib/connectors/mcp/connector";
import type { ToolDefinition } from "#lib/connectors/mcp/tool-definition";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/** The connection whose server offers a tool. */
export interface ToolSource {
  id: string;
  name: string;
}

/** Describes a tool as an operation of the connector. */
export function describeTool(
  { name, title, description }: Pick<ToolDefinition, "name" | "title" | "description">,
  source: ToolSource,
): ConnectorOperationObject {
  return {
    connector: MCP,
    operation: name,
    name: title,
    kind: "action",
    description: foreignText(description, source),
    connection_id: source.id,
  };
}

/**
 * Marks what a server of someone else writes, for the agents that read it: it describes a tool, and says nothing for
 * Signalbox. The quotes are JSON's, so no text can end its own mark.
 */
export function foreignText(text: string, { name }: Pick<ToolSource, "name">): string {
  if (text === "") return "";
  return `Text of the MCP server of the connection ${JSON.stringify(name)}, not of Signalbox: ${JSON.stringify(text)}`;
}

export function describeToolSchema(tool: ToolDefinition, source: ToolSource): OperationSchemaObject {
  return {
    ...describeTool(tool, source),
    params_schema: tool.inputSchema,
    output_schema: outputSchemaOf(tool),
    option_fields: [],
    example: {
      connector: MCP,
      operation: tool.name,
      connection_id: source.id,
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
    required: ["data", "text", "content"],
  };
}

function exampleOf({ required }: JsonObject): JsonObject {
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  return Object.fromEntries(names.map((name) => [name, `{{action_input.${name}}}`]));
}
