import { mcpRoute } from "#lib/api/mcp/mcp-edge";
import { noOauthMetadata, refuseClientRegistration } from "#lib/api/mcp/mcp-no-oauth";
import type { Operation } from "#lib/api/operations/define/define-operation";
import { startHttp } from "#lib/api/testing/http.fixture";

export interface McpTestServer {
  /** The URL of the endpoint. */
  url: string;
  close(): Promise<void>;
}

/**
 * For tests: the MCP endpoint and its neighbors on real HTTP, mounted like in the application.
 * @param query what the address of the endpoint asks for
 */
export async function startMcpServer(operations: readonly Operation[], query = ""): Promise<McpTestServer> {
  const mcp = mcpRoute(operations);
  const server = await startHttp((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/mcp") return mcp(request);
    return pathname === "/register" ? refuseClientRegistration() : noOauthMetadata();
  });
  return { url: `${server.url}/mcp${query}`, close: server.close };
}
