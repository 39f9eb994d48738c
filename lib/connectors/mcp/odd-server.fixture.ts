import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach } from "vitest";
import { callMcpTool } from "#lib/connectors/mcp/call-mcp-tool";
import { openMcpSession } from "#lib/connectors/mcp/open-mcp-session";
import type { McpService } from "#lib/connectors/mcp/send-message";
import type { ToolDefinition } from "#lib/connectors/mcp/tool-definition";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";

export const ODD_TOOL: ToolDefinition = {
  name: "ask",
  title: "Ask",
  description: "",
  inputSchema: { type: "object" },
  outputSchema: null,
  isRepeatable: false,
  isTask: false,
};

interface Heard {
  method: string;
  headers: IncomingMessage["headers"];
  message: { id?: string; method?: string; params?: JsonObject };
}

type Answer = (heard: Heard, response: ServerResponse) => void;

interface OddServer {
  url: string;
  seen: Heard[];
  service: McpService;
}

/** How the server differs from a usual one before it is asked for anything. */
interface OddStart {
  path?: string;
  /** The status with which the address redirects to another one on its host. */
  moved?: number;
  /** The result of `initialize`. */
  opened?: JsonObject;
}

/** For tests: servers of the era with sessions that answer in ways of their own. Call it at the top of the file. */
export function useOddServers() {
  const client = createOutgoingClient(parseOutboundAllow("127.0.0.1"));
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });
  afterAll(() => client.close());

  /** Starts a server that opens a session and answers everything else by hand. */
  return async (answer: Answer, { path = "/mcp", moved, opened }: OddStart = {}): Promise<OddServer> => {
    const seen: Heard[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (moved !== undefined && request.url === path) return response.writeHead(moved, { location: `${path}/` }).end();
      const message = JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}") as Heard["message"];
      const heard = { method: request.method ?? "", headers: request.headers, message };
      seen.push(heard);
      if (message.method === "server/discover") return response.writeHead(404).end();
      if (message.method === "notifications/initialized") return response.writeHead(202).end();
      if (message.method !== "initialize" || path !== "/mcp") return answer(heard, response);
      const usual = { protocolVersion: "2025-03-26", capabilities: {}, serverInfo: { name: "odd", version: "1" } };
      response.writeHead(200, { "content-type": "application/json", "mcp-session-id": `session-${seen.length}` });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: opened ?? usual }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => {
      server.close();
      server.closeAllConnections();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const signal = AbortSignal.timeout(20_000);
    return { url, seen, service: { settings: { server_url: url }, send: client.send, signal, now: () => new Date() } };
  };
}

export const answerJson = (response: ServerResponse, body: unknown) =>
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
export const answerStream = (response: ServerResponse, text: string) =>
  response.writeHead(200, { "content-type": "text/event-stream" }).end(text);

export const callOddTool = async (service: McpService) =>
  callMcpTool(service, await openMcpSession(service), ODD_TOOL, {});

export async function oddFailureOf(service: McpService): Promise<StepError> {
  const error: unknown = await callOddTool(service).catch((thrown: unknown) => thrown);
  if (error instanceof StepError) return error;
  throw new Error(`expected a step error, got ${JSON.stringify(error)}`);
}
