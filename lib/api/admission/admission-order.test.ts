import { describe, expect, test } from "vitest";
import { mcpRoute } from "#lib/api/mcp/mcp-edge";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callRest, HALF_DUPLEX } from "#lib/api/rest/rest.fixture";
import { LIMITS } from "#lib/contract/limits";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const { key_id: keyId, raw_key: rawKey } = await addKey(await addWorkspace("free"));
const spent = rawKey;
await db().query("insert into rate_windows (key_id, newest) values ($1, 60)", [keyId]);
await db().query("insert into rate_hits select $1, n, clock_timestamp() from generate_series(1, 60) n", [keyId]);

/** A body that records how much of it was read. */
function watchedBody() {
  const read = { bytes: 0 };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        read.bytes += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(0x20));
      },
    },
    { highWaterMark: 0 },
  );
  return { read, stream };
}

const unknownKey = `svc_${"u".repeat(32)}`;

describe("REST", () => {
  test.each([
    ["no key", () => null, 401],
    ["an unknown key", () => unknownKey, 401],
    ["a key whose window is spent", () => spent, 429],
  ])("a request with %s is refused before its body is read", async (_, key, status) => {
    const { read, stream } = watchedBody();
    expect((await callRest("POST", "/actions/greet/run", { key: key(), body: stream })).status).toBe(status);
    expect(read.bytes).toBe(0);
  });

  test("a declared size above the limit is refused before the key is checked", async () => {
    const { read, stream } = watchedBody();
    const headers = { "content-length": String(LIMITS.bodyBytes + 1) };
    expect((await callRest("POST", "/actions/greet/run", { key: null, body: stream, headers })).status).toBe(413);
    expect(read.bytes).toBe(0);
  });
});

describe("MCP", () => {
  const mcp = mcpRoute(OPERATIONS);
  async function send(body: BodyInit, headers: Record<string, string> = {}) {
    const request = new Request("http://localhost/mcp", { method: "POST", body, headers, ...HALF_DUPLEX });
    const response = await mcp(request);
    return { status: response.status, body: await response.json() };
  }

  test("of a body with an invalid key, no more than 64 KiB is read, to answer a tool call by its id", async () => {
    const { read, stream } = watchedBody();
    expect(await send(stream)).toMatchObject({
      status: 401,
      body: { id: null, error: { data: { code: "UNAUTHORIZED" } } },
    });
    expect(read.bytes).toBeLessThanOrEqual(2 * LIMITS.refusedBodyBytes);
    const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "list_actions", arguments: {} } };
    expect(await send(JSON.stringify(call))).toMatchObject({ status: 200, body: { id: 7, result: { isError: true } } });
  });

  test("nothing is read of a body with an invalid key that declares more", async () => {
    const { read, stream } = watchedBody();
    const headers = { "content-length": String(LIMITS.refusedBodyBytes + 1) };
    expect(await send(stream, headers)).toMatchObject({ status: 401, body: { id: null } });
    expect(read.bytes).toBe(0);
  });

  test("a declared size above the limit is refused before the key is checked", async () => {
    const { read, stream } = watchedBody();
    expect((await send(stream, { "content-length": String(LIMITS.bodyBytes + 1) })).status).toBe(413);
    expect(read.bytes).toBe(0);
  });
});
