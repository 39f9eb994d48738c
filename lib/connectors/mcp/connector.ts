import { MCP_AUTHS } from "#lib/connectors/mcp/auths";
import type { ConnectorDefinition } from "#lib/connectors/sdk/define-connector";

/** The name of the connector in definitions. */
export const MCP = "mcp";

/** Its operations are the tools of the server of each connection. */
export const MCP_CONNECTOR: ConnectorDefinition = {
  name: MCP,
  label: "MCP server",
  description: "Call the tools of any remote MCP server",
  keywords: "model context protocol tools agent remote",
  docs: "https://modelcontextprotocol.io/specification",
  auths: MCP_AUTHS,
  operations: {},
};
