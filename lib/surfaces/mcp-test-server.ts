import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { Operation } from "#lib/operations/define-operation";
import { mcpMethodNotAllowed, mcpRoute } from "#lib/surfaces/mcp-edge";
import { noOauthMetadata, refuseClientRegistration } from "#lib/surfaces/mcp-no-oauth";

export interface McpTestServer {
  /** Of the endpoint. */
  url: string;
  close(): Promise<void>;
}

/** For tests: the MCP endpoint and what surrounds it on real HTTP, as the pages of the application mount it. */
export async function startMcpServer(operations: readonly Operation[]): Promise<McpTestServer> {
  const mcp = mcpRoute(operations);
  const route = (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === "/mcp") return request.method === "POST" ? mcp(request) : mcpMethodNotAllowed();
    return pathname === "/register" ? refuseClientRegistration() : noOauthMetadata();
  };
  const server = createServer((incoming, outgoing) => {
    void route(toRequest(incoming)).then((response) => {
      // What was refused unread would stand in the way of the connection's next request.
      if (!incoming.complete) outgoing.setHeader("connection", "close");
      send(response, outgoing);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function toRequest(incoming: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
  return new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? "GET",
    headers,
    ...(hasBody ? { body: Readable.toWeb(incoming) as BodyInit, duplex: "half" } : {}),
  });
}

function send(response: Response, outgoing: ServerResponse): void {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) return void outgoing.end();
  Readable.fromWeb(response.body as ReadableStream).pipe(outgoing);
}
