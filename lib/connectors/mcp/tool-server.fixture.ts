import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type CallToolResult, createMcpHandler, Server, type Tool } from "@modelcontextprotocol/server";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/** The function that answers a call of a tool. */
type Answer = (args: JsonObject, signal: AbortSignal) => CallToolResult | Promise<CallToolResult>;

/** An MCP server with the stateless protocol. Tests can change its tools and make it fail. */
export interface ToolServer {
  url: string;
  tools: Map<string, { tool: Tool; answer: Answer }>;
  /** Every request: its HTTP method, path, and headers, and its JSON-RPC method. */
  requests: {
    http: string;
    path: string;
    rpc: string | null;
    headers: IncomingMessage["headers"];
    form: URLSearchParams;
  }[];
  /** Responses to send one by one instead of calling a tool. */
  failures: { status: number; headers?: Record<string, string>; json?: unknown }[];
  /** Answers a request in place of the server, for example one without a valid token. */
  intercept: ((request: IncomingMessage, body: string) => Intercepted | null) | null;
  close(): void;
}

export interface Intercepted {
  status: number;
  headers?: Record<string, string>;
  json?: unknown;
}

const WEATHER: Tool = {
  name: "weather",
  title: "Weather",
  description: "Returns the weather of a city",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string" }, unit: { type: "string", enum: ["c", "f"] } },
    required: ["city"],
  },
  outputSchema: {
    type: "object",
    properties: { city: { type: "string" }, degrees: { type: "number" } },
    required: ["city", "degrees"],
  },
  annotations: { readOnlyHint: true },
};

/** @param port by default, any free port */
export async function startToolServer(port = 0): Promise<ToolServer> {
  const state: Omit<ToolServer, "url" | "close"> = {
    tools: new Map([
      [
        "weather",
        {
          tool: WEATHER,
          answer: ({ city }) => ({
            content: [{ type: "text", text: `21 degrees in ${city}` }],
            structuredContent: { city, degrees: 21 },
          }),
        },
      ],
    ]),
    requests: [],
    failures: [],
    intercept: null,
  };
  const handler = createMcpHandler(() => serverOf(state), { legacy: "reject" });
  const server = createServer((request, response) => void serve(state, handler, request, response));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return Object.assign(state, { url: `http://127.0.0.1:${address.port}/mcp`, close });
}

type State = Omit<ToolServer, "url" | "close">;

function serverOf({ tools }: State): Server {
  const server = new Server({ name: "fixture", title: "Fixture", version: "3.1.4" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [...tools.values()].map(({ tool }) => tool) }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const found = tools.get(params.name);
    if (!found) return { content: [{ type: "text", text: `there is no tool ${params.name}` }], isError: true };
    return found.answer(params.arguments ?? {}, context.mcpReq.signal);
  });
  return server;
}

async function serve(
  state: State,
  handler: ReturnType<typeof createMcpHandler>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString("utf8");
  const rpc = methodOf(body);
  const { method: http = "", url: path = "", headers } = request;
  state.requests.push({ http, path, rpc, headers, form: new URLSearchParams(rpc === null ? body : "") });
  const given = state.intercept?.(request, body) ?? (rpc === "tools/call" ? state.failures.shift() : undefined);
  if (given) {
    response.writeHead(given.status, { "content-type": "application/json", ...given.headers });
    response.end(JSON.stringify(given.json ?? {}));
    return;
  }
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const answered = await handler.fetch(
    new Request(`http://127.0.0.1${path}`, {
      method: http,
      headers: headers as Record<string, string>,
      ...(body === "" ? {} : { body }),
      signal: gone.signal,
    }),
  );
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(Buffer.from(await answered.arrayBuffer()));
}

function methodOf(body: string): string | null {
  try {
    return (JSON.parse(body) as { method?: string }).method ?? null;
  } catch {
    return null;
  }
}
