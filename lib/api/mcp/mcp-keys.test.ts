import { afterAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callTool, newKey, newWorkspace, runOverRest, sendRpc } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { SCOPES } from "#lib/contract/key/scopes";
import { addAction } from "#lib/domain/actions/action.fixture";
import { createKey } from "#lib/domain/keys/create-key";
import { revokeKey } from "#lib/domain/keys/revoke-key";
import { newEditor } from "#lib/domain/workflows/workflow.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const server = await startMcpServer(OPERATIONS);
const ann = await newWorkspace("ann");
const key = await newKey(ann);
afterAll(() => server.close());

const rpc = (rawKey: string | null, method: string) => sendRpc(server.url, rawKey, method);
const call = (rawKey: string | null, name: string, args: unknown) => callTool(server.url, rawKey, name, args);

describe("an invalid key", () => {
  async function invalidKeys(): Promise<[string, string | null, RegExp][]> {
    const [revoked, expired] = await Promise.all([
      createKey({ ...ann, name: "revoked" }),
      createKey({ ...ann, name: "expired" }),
    ]);
    await revokeKey({ ...ann, keyId: revoked.key_id });
    await db().query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [expired.key_id]);
    return [
      ["missing", null, /Missing or invalid API key/],
      ["malformed", "svc_short", /Missing or invalid API key/],
      ["unknown", `svc_${"x".repeat(32)}`, /Missing or invalid API key/],
      ["expired", expired.raw_key, /Missing or invalid API key/],
      ["revoked", revoked.raw_key, /^API key revoked$/],
    ];
  }

  test("gets a tool result for a tool call and HTTP 401 for any other method", async () => {
    for (const [name, rawKey, text] of await invalidKeys()) {
      const tool = await call(rawKey, "list_actions", {});
      expect({ name, status: tool.status, isError: tool.isError }).toEqual({ name, status: 200, isError: true });
      const reason = name === "revoked" ? "api_key_revoked" : "unauthorized";
      expect(tool.body).toEqual({ error: expect.stringMatching(text), code: "UNAUTHORIZED", reason });

      const list = await rpc(rawKey, "tools/list");
      expect({ name, status: list.status }).toEqual({ name, status: 401 });
      expect(list.headers.get("www-authenticate")).toBe("Bearer");
      expect(list.body).toMatchObject({ jsonrpc: "2.0", id: 1, error: { data: tool.body } });
      for (const { headers } of [tool, list]) expect(headers.get("x-ratelimit-limit")).toBeNull();
    }
  });

  test("that was revoked can neither poll, decide, cancel nor replay the run that it started", async () => {
    const { key_id: keyId, raw_key: rawKey } = await createKey({ ...ann, name: "gone", scopes: [...SCOPES] });
    const { slug } = await addAction(
      { ...ann, plan: "business" },
      { slug: "held-for-the-revoked", approvalPolicy: "always" },
    );
    const { body: run } = await call(rawKey, "run_action", { slug, input: { name: "Ada" } });
    expect(run.status).toBe("waiting_for_approval");
    await revokeKey({ ...ann, keyId });
    const refused = { error: "API key revoked", code: "UNAUTHORIZED", reason: "api_key_revoked" };
    for (const tool of ["get_run_status", "wait_for_run", "approve_run", "cancel_run", "replay_run"]) {
      const answer = await call(rawKey, tool, { run_id: run.run_id });
      expect({ tool, ...answer }).toMatchObject({ tool, status: 200, isError: true, body: refused });
    }
    const { body: seen } = await call(await newKey(ann), "get_run_status", { run_id: run.run_id });
    expect(seen).toMatchObject({ status: "waiting_for_approval" });
    expect((await call(await newKey(ann), "list_runs", { resume_from_run_id: run.run_id })).body.data).toEqual([]);
  });

  test("is accepted only as a Bearer token", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const elsewhere = { "x-api-key": key, cookie: `key=${key}`, authorization: `Basic ${key}` };
    for (const [name, value] of Object.entries(elsewhere)) {
      const headers = { [name]: value };
      expect((await fetch(server.url, { method: "POST", headers, body })).status).toBe(401);
    }
    expect((await fetch(`${server.url}?api_key=${key}`, { method: "POST", body })).status).toBe(401);
  });
});

describe("limits", () => {
  test("REST and MCP share one budget; if it is spent, a tool returns a failed result and other methods a JSON-RPC error over HTTP 200", async () => {
    const eve = await newEditor("eve");
    const rawKey = await newKey(eve);
    const remaining = ({ headers }: { headers: Headers }) => Number(headers.get("x-ratelimit-remaining"));

    expect(remaining(await runOverRest(rawKey, "nowhere", {}))).toBe(59);
    const tool = await call(rawKey, "run_action", { slug: "nowhere" });
    expect([remaining(tool), tool.headers.get("x-ratelimit-limit")]).toEqual([58, "60"]);
    for (let left = 57; left >= 0; left--) expect(remaining(await rpc(rawKey, "ping"))).toBe(left);

    const refusedTool = await call(rawKey, "list_actions", {});
    expect(refusedTool).toMatchObject({ status: 200, isError: true });
    expect(refusedTool.body).toEqual({
      error: "Rate limit exceeded",
      code: "RATE_LIMIT_EXCEEDED",
      reason: "rate_limit_exceeded",
    });
    const wait = Number(refusedTool.headers.get("retry-after"));
    expect(refusedTool.hint).toBe(`Wait at least ${wait} seconds before the next call.`);
    expect(wait).toBeGreaterThan(0);

    const refused = await rpc(rawKey, "tools/list");
    expect(refused).toMatchObject({ status: 200, body: { error: { data: refusedTool.body } } });
    for (const answer of [refusedTool, refused]) expect(remaining(answer)).toBe(0);
  });

  test("after a user's hundred runs in an hour, a tool result says how long to wait", async () => {
    const dan = await newWorkspace("dan");
    const rawKey = await newKey(dan);
    for (let run = 0; run < 100; run++) {
      expect((await runOverRest(rawKey, "greet", { input: { who: "Ada" } })).status).toBe(202);
    }
    const answer = await call(rawKey, "run_action", { slug: "greet", input: { who: "Ada" } });
    expect(answer).toMatchObject({ status: 200, isError: true, body: { code: "RATE_LIMIT_EXCEEDED" } });
    expect(answer.hint).toContain(`Wait at least ${answer.headers.get("retry-after")} seconds`);
    const dryRun = await call(rawKey, "run_action", { slug: "greet", input: { who: "Ada" }, dry_run: true });
    expect(dryRun).toMatchObject({ isError: false, body: { status: "succeeded", dry_run: true } });
  });
});
