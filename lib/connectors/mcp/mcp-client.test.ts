import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { callMcpTool } from "#lib/connectors/mcp/call-mcp-tool";
import { listTools } from "#lib/connectors/mcp/list-tools";
import { openMcpSession } from "#lib/connectors/mcp/open-mcp-session";
import { readServerEvents } from "#lib/connectors/mcp/read-messages";
import type { McpService } from "#lib/connectors/mcp/send-message";
import { readTool, type ToolDefinition } from "#lib/connectors/mcp/tool-definition";
import { startToolServer } from "#lib/connectors/mcp/tool-server.fixture";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { eventually } from "#lib/support/eventually.fixture";

const client = createOutgoingClient(parseOutboundAllow("127.0.0.1"));
const started: { close(): void }[] = [];
afterEach(() => {
  for (const server of started.splice(0)) server.close();
});
afterAll(() => client.close());

const serviceAt = (url: string, more: Partial<McpService> = {}): McpService => ({
  settings: { server_url: url },
  send: client.send,
  signal: AbortSignal.timeout(20_000),
  now: () => new Date(),
  ...more,
});

const tool = (more: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name: "ask",
  title: "Ask",
  description: "",
  inputSchema: { type: "object" },
  outputSchema: null,
  isRepeatable: false,
  isTask: false,
  ...more,
});

interface Heard extends JsonObject {
  id?: string;
  method?: string;
}

/** Starts a server of the legacy era that answers one method by hand, in a stream that it never closes. */
async function startStreaming(answer: (message: Heard, say: (message: JsonObject) => void) => void) {
  const heard: Heard[] = [];
  const server = createServer((request, response) => void serve(request, response));
  async function serve(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}") as Heard;
    heard.push(message);
    if (message.method === "server/discover") return response.writeHead(404).end();
    if (message.method === "initialize") {
      const result = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "raw", version: "1" } };
      response.writeHead(200, { "content-type": "application/json" });
      return response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
    }
    if (message.id === undefined || message.method === undefined) return response.writeHead(202).end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    answer(message, (event) =>
      response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...event })}\n\n`),
    );
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  started.push({ close });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, heard };
}

describe("a response that is a stream", () => {
  test("ends for us with the reply, although the server keeps it open", async () => {
    const { url } = await startStreaming(({ id }, say) => {
      say({ method: "notifications/progress", params: { progress: 1 } });
      say({ id, result: { content: [{ type: "text", text: '{"a": 1}' }] } });
    });
    const service = serviceAt(url);
    const output = await callMcpTool(service, await openMcpSession(service), tool(), {});
    expect(output).toEqual({ data: { a: 1 }, text: '{"a": 1}', content: [{ type: "text", text: '{"a": 1}' }] });
  });

  test("keeps the digits of a long number in the JSON of a text, and says where", async () => {
    const text = '{"order": {"id": 8202522731445525542}, "n": 1}';
    const { url } = await startStreaming(({ id }, say) => say({ id, result: { content: [{ type: "text", text }] } }));
    const noted: unknown[] = [];
    const service = serviceAt(url, { noteNumber: (field, path) => noted.push([field, ...path]) });
    const output = await callMcpTool(service, await openMcpSession(service), tool(), {});
    expect(output).toMatchObject({ data: { order: { id: "8202522731445525542" }, n: 1 }, text });
    expect(noted).toEqual([["data", "order", "id"]]);
  });

  test("may ask us: a ping is answered, and a question for a person is refused, so that the tool can continue", async () => {
    let finish = () => {};
    const server = await startStreaming(({ id }, say) => {
      say({ id: "p1", method: "ping" });
      say({ id: "e1", method: "elicitation/create", params: { message: "Your name?" } });
      finish = () => say({ id, result: { content: [{ type: "text", text: "no name" }] } });
    });
    const service = serviceAt(server.url, {
      send: async (request) => {
        const response = await client.send(request);
        if (String(request.body).includes('"id":"e1"')) finish();
        return response;
      },
    });
    const output = await callMcpTool(service, await openMcpSession(service), tool(), {});
    expect(output.text).toBe("no name");
    // The answers are sent at the same time, and only the one to the question ends the call.
    await eventually(() => expect(server.heard).toContainEqual({ jsonrpc: "2.0", id: "p1", result: {} }));
    expect(server.heard).toContainEqual({
      jsonrpc: "2.0",
      id: "e1",
      error: { code: -32_601, message: expect.stringContaining("elicitation/create") },
    });
  });

  test("reports that the tools have changed", async () => {
    const { url } = await startStreaming(({ id }, say) => {
      say({ method: "notifications/tools/list_changed" });
      say({ id, result: { content: [] } });
    });
    let count = 0;
    const onToolsChanged = () => {
      count += 1;
    };
    const service = serviceAt(url, { onToolsChanged });
    await callMcpTool(service, await openMcpSession(service), tool(), {});
    expect(count).toBe(1);
  });

  test("is read the same, wherever the network cuts it", () => {
    const stream = Buffer.from(
      ': hello\r\n\r\nevent: message\r\nid: 1\r\ndata: {"a":\r\ndata: "é"}\r\n\r\ndata: 2\n\n',
    );
    for (let size = 1; size <= stream.length; size += 1) {
      const events: string[] = [];
      const read = readServerEvents((data) => events.push(data));
      for (let at = 0; at < stream.length; at += size) read(stream.subarray(at, at + size));
      expect(events).toEqual(['{"a":\n"é"}', "2"]);
    }
  });
});

describe("a server of the stateless era", () => {
  test("gets the headers that repeat the request, also those that a schema asks for", async () => {
    const server = await startToolServer();
    started.push(server);
    const properties = { region: { type: "string", "x-mcp-header": "Region" }, n: { type: "integer" } };
    const inputSchema = { type: "object" as const, properties };
    server.tools.set("räume", { tool: { name: "räume", inputSchema }, answer: () => ({ content: [] }) });
    const service = serviceAt(server.url);
    const session = await openMcpSession(service);
    expect(session).toMatchObject({ era: "modern", sessionId: null, server: { protocol: "2026-07-28" } });
    await callMcpTool(service, session, tool({ name: "räume", inputSchema }), { region: "nördlich", n: 1 });
    expect(server.requests.at(-1)?.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": `=?base64?${Buffer.from("räume").toString("base64")}?=`,
      "mcp-param-region": `=?base64?${Buffer.from("nördlich").toString("base64")}?=`,
    });
  });

  test("that asks for input fails the step with what it asked for", async () => {
    const server = await startStreaming(() => undefined);
    const service = serviceAt(server.url, {
      send: async (request) => {
        const { id } = JSON.parse(String(request.body)) as Heard;
        const result = {
          resultType: "input_required",
          inputRequests: { name: { method: "elicitation/create", params: { message: "Your name?" } } },
        };
        const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, result }));
        return { status: 200, headers: { "content-type": "application/json" }, body };
      },
    });
    const session = {
      era: "modern",
      sessionId: null,
      server: { name: "x", version: "", protocol: "2026-07-28" },
    } as const;
    await expect(callMcpTool(service, session, tool(), {})).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      reason: "tool_failed",
      message: expect.stringContaining("an answer from a person"),
    });
  });
});

describe("a list of tools from a server that is not trusted", () => {
  const deep = (levels: number): JsonObject =>
    levels === 0 ? { type: "string" } : { type: "object", properties: { a: deep(levels - 1) } };

  test.each([
    ["a schema that is nested too deeply", { name: "x", inputSchema: deep(40) }],
    [
      "a schema that is too large",
      { name: "x", inputSchema: { type: "object", a: "x".repeat(LIMITS.mcpSchemaBytes) } },
    ],
    ["text that cannot be stored", { name: "x", inputSchema: { type: "object", title: "a\u0000b" } }],
    ["a name with a line break", { name: "x\ny", inputSchema: { type: "object" } }],
    [
      "a header that cannot be sent",
      { name: "x", inputSchema: { properties: { a: { type: "string", "x-mcp-header": "a b" } } } },
    ],
    ["no object", null],
  ])("%s is left out with a reason", (_, given) => {
    expect(readTool(given)).toMatchObject({ reason: expect.any(String) });
  });

  test("is cut at its limits, and what is left out is named", async () => {
    const server = await startToolServer();
    started.push(server);
    for (let index = 0; index < LIMITS.mcpTools + 5; index += 1) {
      const name = `tool_${index}`;
      const description = "x".repeat(10_000);
      server.tools.set(name, {
        tool: { name, description, inputSchema: { type: "object" } },
        answer: () => ({ content: [] }),
      });
    }
    const { tools, leftOut } = await listTools(serviceAt(server.url));
    expect(tools).toHaveLength(LIMITS.mcpTools);
    expect(leftOut).toHaveLength(6);
    expect(tools.at(-1)?.description).toHaveLength(LIMITS.mcpDescriptionCharacters);
  });
});
