import { expect, test } from "vitest";
import { mcpEdge, mcpRoute } from "#lib/api/mcp/mcp-edge";
import { readMessage } from "#lib/api/mcp/mcp-message";
import { readPlainCall } from "#lib/api/mcp/mcp-plain-call";
import { buildMcpServer } from "#lib/api/mcp/mcp-server";
import { describeTools } from "#lib/api/mcp/mcp-tools";
import { OPERATIONS } from "#lib/api/operations/registry";
import { newKey, newWorkspace } from "#lib/api/testing/mcp-test-caller";
import { openTestDatabase } from "#lib/platform/db/test-database";

process.env.REQUESTS_PER_WINDOW = "0";
await openTestDatabase();

const tools = describeTools(OPERATIONS);
const quick = mcpRoute(OPERATIONS);
/** The same endpoint with the SDK for every message. */
const whole = mcpEdge((exchange) => buildMcpServer(tools, exchange));
const key = await newKey(await newWorkspace("plain"));

const MODERN = "2026-07-28";
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1", title: "Test" },
  "io.modelcontextprotocol/clientCapabilities": { roots: {}, elicitation: {} },
};
type Envelope = Record<string, unknown>;
type Sent = { message: object; headers: Record<string, string> };

function legacy(params: object, message: object = {}, headers: Sent["headers"] = {}): Sent {
  return { message: { jsonrpc: "2.0", id: 1, method: "tools/call", params, ...message }, headers };
}

function modern(params: { name: string }, envelope: Envelope = ENVELOPE, headers: Sent["headers"] = {}): Sent {
  const names = { "mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": params.name, ...headers };
  return legacy({ ...params, _meta: envelope }, {}, names);
}

async function answerOf(serve: typeof quick, { message, headers }: Sent) {
  const given = { authorization: `Bearer ${key}`, ...headers };
  const body = JSON.stringify(message);
  const response = await serve(new Request("http://localhost/mcp", { method: "POST", headers: given, body }));
  const text = await response.text();
  const changing = ["x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset"];
  return { status: response.status, text, headers: [...response.headers].filter(([name]) => !changing.includes(name)) };
}

const list = { name: "list_actions", arguments: {} };
const unknownRun = { name: "get_run_status", arguments: { run_id: "01900000-0000-7000-8000-000000000000" } };
const wrong = { name: "run_action", arguments: { slug: "greet", input: { who: 5 }, more: null, "0": [] } };

test.each<[string, Sent]>([
  ["a call without a version", legacy(list)],
  ["a call without arguments", legacy({ name: "list_actions" })],
  ["a call with a version", legacy(list, {}, { "mcp-protocol-version": "2025-11-25" })],
  ["a call with a progress token", legacy({ ...list, _meta: { progressToken: 3, "claudecode/toolUseId": "t" } })],
  ["a call with a text as its id", legacy(list, { id: "é" })],
  ["a tool that finds nothing", legacy(unknownRun)],
  ["arguments that are refused, with a hint", legacy(wrong)],
  [
    "a name twice in an argument that is JSON text",
    legacy({ name: "run_action", arguments: { slug: "greet", input: '{"a":1,"a":2}' } }),
  ],
  ["a scope that the key does not have", legacy({ name: "delete_workflow", arguments: {} })],
  ["an unknown tool", legacy({ name: "list_action" })],
  ["a tool named like a member of objects", legacy({ name: "constructor" })],
  ["a version that is not supported", legacy(list, {}, { "mcp-protocol-version": "1999-01-01" })],
  ["a fraction as the id", legacy(list, { id: 1.5 })],
  ["a number beyond 2^53 as the id", legacy(list, { id: 2 ** 60 })],
  ["null as the id", legacy(list, { id: null })],
  ["another member of the message", legacy(list, { more: 1 })],
  ["another version of JSON-RPC", legacy(list, { jsonrpc: "1.0" })],
  ["another parameter", legacy({ ...list, task: { ttl: 1 } })],
  ["a list as arguments", legacy({ ...list, arguments: [] })],
  ["null as arguments", legacy({ ...list, arguments: null })],
  ["a number as the name", legacy({ name: 5 })],
  ["null as _meta", legacy({ ...list, _meta: null })],
  ["a fraction as the progress token", legacy({ ...list, _meta: { progressToken: 0.5 } })],
  ["a key of the protocol in _meta", legacy({ ...list, _meta: { "io.modelcontextprotocol/related-task": "x" } })],
  [
    "__proto__ in the arguments",
    {
      ...legacy({}),
      message: JSON.parse(
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_actions","arguments":{"__proto__":{"a":1}}}}',
      ),
    },
  ],
  ["a call of the revision without a handshake", modern(list)],
  ["its progress token", modern(list, { ...ENVELOPE, progressToken: "p" })],
  ["its tool that finds nothing", modern(unknownRun)],
  ["its refused arguments", modern(wrong)],
  ["its unknown tool", modern({ name: "list_action" })],
  ["its envelope without the client", modern(list, { ...ENVELOPE, "io.modelcontextprotocol/clientInfo": undefined })],
  ["a client without a version", modern(list, { ...ENVELOPE, "io.modelcontextprotocol/clientInfo": { name: "x" } })],
  [
    "a client whose title is null",
    modern(list, { ...ENVELOPE, "io.modelcontextprotocol/clientInfo": { name: "x", version: "1", title: null } }),
  ],
  [
    "capabilities that are wrong",
    modern(list, { ...ENVELOPE, "io.modelcontextprotocol/clientCapabilities": { roots: 5 } }),
  ],
  [
    "capabilities with settings",
    modern(list, {
      ...ENVELOPE,
      "io.modelcontextprotocol/clientCapabilities": { roots: { listChanged: true }, experimental: { a: {} } },
    }),
  ],
  [
    "another version in the envelope",
    modern(list, { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2099-01-01" }),
  ],
  ["a header with another tool", modern(list, ENVELOPE, { "mcp-name": "run_action" })],
  ["a header with another method", modern(list, ENVELOPE, { "mcp-method": "tools/list" })],
  ["a header with another version", modern(list, ENVELOPE, { "mcp-protocol-version": "2025-11-25" })],
  ["an envelope without headers", legacy({ ...list, _meta: ENVELOPE })],
  ["headers without an envelope", { ...modern(list), message: legacy(list).message }],
])("%s has the same answer as from the SDK, byte for byte", async (_name, sent) => {
  expect(await answerOf(quick, sent)).toEqual(await answerOf(whole, sent));
});

test.each([
  [
    "the older revisions",
    legacy({ ...wrong, _meta: { progressToken: 3 } }, { id: "a" }, { "mcp-protocol-version": "2025-06-18" }),
  ],
  ["the revision without a handshake", modern(wrong, { ...ENVELOPE, progressToken: 3 })],
])("the usual call of %s needs no protocol server", (_name, { message, headers }) => {
  const read = readMessage(Buffer.from(JSON.stringify(message)), new Headers(headers));
  expect(readPlainCall(read, new Headers(headers))).toEqual({ name: wrong.name, args: wrong.arguments });
});
