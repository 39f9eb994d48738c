import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "#lib/api/operations/registry";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { LIMITS } from "#lib/contract/limits";
import { SERVER_INFO } from "#lib/contract/wire/server-info";
import { createKey } from "#lib/domain/keys/create-key";
import { newEditor } from "#lib/domain/workflows/workflow.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const server = await startMcpServer(OPERATIONS);
const key = (await createKey({ ...(await newEditor("ann")), name: "protocol" })).raw_key;
afterAll(() => server.close());

/** Sends one POST like the simplest client: without Accept and without a JSON Content-Type. */
async function post(body: string, headers: Record<string, string> = {}) {
  const response = await fetch(server.url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : undefined };
}
const rpc = (method: string, params?: unknown, headers?: Record<string, string>) =>
  post(JSON.stringify({ jsonrpc: "2.0", id: 7, method, params }), headers);

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const modern = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
  rpc(
    method,
    { ...params, _meta: ENVELOPE },
    { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...headers },
  );

describe("a client that starts with initialize", () => {
  test.each(["2025-11-25", "2025-06-18", "2025-03-26"])("speaks revision %s", async (protocolVersion) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const { status, body, headers } = await rpc("initialize", params);
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ protocolVersion, serverInfo: SERVER_INFO, capabilities: { tools: {} } });
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("mcp-session-id")).toBeNull();
  });

  test("gets the newest handshake revision if it requests an unknown one", async () => {
    const params = { protocolVersion: "1999-01-01", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    expect((await rpc("initialize", params)).body.result.protocolVersion).toBe("2025-11-25");
  });

  test("needs no session, no Accept and no Content-Type", async () => {
    expect((await rpc("ping")).body).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
    const { status, body } = await rpc("tools/list");
    expect(status).toBe(200);
    expect(body.result.tools.length).toBeGreaterThan(0);
  });

  test("gets an empty 202 for a notification", async () => {
    const { status, text } = await post(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    expect([status, text]).toEqual([202, ""]);
  });

  test.each([
    ["an unknown method", "no/such/method", {}, -32601],
    ["an unknown tool", "tools/call", { name: "no_such_tool", arguments: {} }, -32602],
    ["a tool call without a name", "tools/call", {}, -32602],
    ["arguments that are not an object", "tools/call", { name: "list_workflows", arguments: [1] }, -32602],
    ["an unknown cursor", "tools/list", { cursor: "x" }, -32602],
  ])("gets a JSON-RPC error over HTTP 200 for %s", async (_, method, params, code) => {
    const { status, body } = await rpc(method, params);
    expect(status).toBe(200);
    expect(body).toMatchObject({ jsonrpc: "2.0", id: 7, error: { code } });
  });

  test.each([
    ["text that is not JSON", "{oops", -32700, null],
    ["an empty body", "", -32700, null],
    ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
    ["an empty batch", "[]", -32600, null],
    ["another version of JSON-RPC", '{"jsonrpc":"1.0","id":3,"method":"ping"}', -32600, 3],
    ["an id of null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
    ["a bare value", "7", -32600, null],
  ])("gets a JSON-RPC error over HTTP 200 for %s", async (_, body, code, id) => {
    const answer = await post(body);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ jsonrpc: "2.0", id, error: { code } });
  });
});

describe("a client of revision 2026-07-28", () => {
  test("discovers the server without a handshake", async () => {
    const { status, body } = await modern("server/discover");
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      instructions: expect.stringContaining("run_action"),
    });
  });

  test("may cache the list of tools privately for a minute", async () => {
    const { body, headers } = await modern("tools/list");
    expect(body.result).toMatchObject({ resultType: "complete", ttlMs: 60_000, cacheScope: "private" });
    expect(headers.get("content-type")).toBe("application/json");
  });

  test("calls a tool", async () => {
    const call = { name: "list_workflows", arguments: {} };
    const { status, body } = await modern("tools/call", call, { "mcp-name": "list_workflows" });
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ resultType: "complete", structuredContent: { data: [], has_more: false } });
  });

  test("gets the specification's HTTP statuses for invalid requests", async () => {
    expect((await modern("no/such/method")).status).toBe(404);
    expect(await modern("tools/list", {}, { "mcp-method": "ping" })).toMatchObject({ status: 400 });
    expect(await modern("tools/list", {}, { "mcp-protocol-version": "2025-11-25" })).toMatchObject({ status: 400 });
    expect(await rpc("tools/list", {}, { "mcp-protocol-version": "2026-07-28" })).toMatchObject({ status: 400 });
    expect(await post("{oops", { "mcp-protocol-version": "2026-07-28" })).toMatchObject({ status: 400 });
  });
});

describe("before the protocol starts", () => {
  test.each(["GET", "DELETE", "PUT"])(
    "%s is not allowed, because there are no streams and no sessions",
    async (method) => {
      const response = await fetch(server.url, { method, headers: { accept: "text/event-stream" } });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("POST");
      expect(await response.json()).toEqual({
        error: "Use POST.",
        code: "METHOD_NOT_ALLOWED",
        reason: "method_not_allowed",
      });
    },
  );

  test("a page of another origin is refused before its key is checked", async () => {
    const { status, headers, body } = await rpc("tools/list", {}, { origin: "https://evil.example.com" });
    expect(status).toBe(403);
    expect(body.error.data.code).toBe("FORBIDDEN");
    expect(headers.get("x-ratelimit-limit")).toBeNull();
    expect((await rpc("tools/list", {}, { origin: "http://localhost:6274" })).status).toBe(200);
  });

  test("a body over the limit is refused before its key is checked", async () => {
    const { status, body } = await rpc("tools/list", { filler: "x".repeat(LIMITS.bodyBytes) });
    expect(status).toBe(413);
    expect(body.error.data.code).toBe("PAYLOAD_TOO_LARGE");
  });

  test("there is no OAuth metadata, and the registration error explains how to use an API key", async () => {
    for (const path of ["oauth-protected-resource/mcp", "oauth-authorization-server", "openid-configuration"]) {
      const response = await fetch(new URL(`/.well-known/${path}`, server.url));
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: "NOT_FOUND" });
    }
    const response = await fetch(new URL("/register", server.url), { method: "POST", body: "{}" });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: "access_denied",
      error_description: expect.stringContaining("Authorization: Bearer svc_"),
    });
  });
});

test("every answer has a request id that is in the log, and no cache stores it", async () => {
  for (const { headers } of [await rpc("ping"), await rpc("ping", {}, { authorization: "" }), await modern("ping")]) {
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get("cache-control")).toBe("no-store");
  }
});

test("the server has the name and version of the package", () => {
  const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(SERVER_INFO).toMatchObject({ name, version });
});
