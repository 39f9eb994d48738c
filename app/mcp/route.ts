import { serveDirectly } from "#lib/api/edge/direct-routes";
import { mcpRoute } from "#lib/api/mcp/mcp-edge";
import { OPERATIONS } from "#lib/api/operations/registry";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDirectly(/^\/mcp$/, mcpRoute(OPERATIONS));
