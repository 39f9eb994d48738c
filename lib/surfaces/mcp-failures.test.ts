import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { log } from "#lib/config/log";
import type { Scope } from "#lib/contract/scopes";
import { db } from "#lib/db/pool";
import { useTestDatabase } from "#lib/db/test-database";
import { createKey } from "#lib/keys/create-key";
import { revokeKey } from "#lib/keys/revoke-key";
import { runActionOperation } from "#lib/operations/actions";
import { defineOperation, type Operation } from "#lib/operations/define-operation";
import { OPERATIONS } from "#lib/operations/registry";
import { getRunStatusOperation } from "#lib/operations/runs";
import { deployWorkflow } from "#lib/publish/deploy-workflow";
import { type McpTestServer, startMcpServer } from "#lib/surfaces/mcp-test-server";
import { restRoute } from "#lib/surfaces/rest-route";
import { createWorkflow, type Editor } from "#lib/workflows/create-workflow";
import { greeting, newEditor } from "#lib/workflows/workflow-fixtures";

useTestDatabase();

const failing = (name: string, run: () => Promise<unknown>) =>
  defineOperation({
    name,
    title: name,
    description: name,
    scope: "runs:read",
    role: "viewer",
    mcp: { readOnly: true },
    input: z.object({}),
    run,
  }) as Operation;

let server: McpTestServer;
let ann: Editor & { userId: string };
let key: string;

beforeAll(async () => {
  server = await startMcpServer([
    ...OPERATIONS,
    failing("throw_internals", () => Promise.reject(new Error("password=hunter2 at /srv/db"))),
    failing("answer_what_json_cannot_hold", async () => ({ count: 1n })),
  ]);
  ann = await newWorkspace("ann");
  key = await newKey(ann);
});
afterAll(() => server.close());

/** In place of a worker. */
const FINISH = `update runs set status = 'succeeded', output = '{"text": "Hello"}', started_at = now(), completed_at = now()
  where id = $1`;

/** With more keys and requests than a test needs, and the actions `greet` and `paused`. */
async function newWorkspace(name: string): Promise<Editor & { userId: string }> {
  const editor = await newEditor(name);
  await db().query("update workspaces set plan = 'business' where id = $1", [editor.workspaceId]);
  for (const slug of ["greet", "paused"]) {
    const { workflow_id: workflowId } = await createWorkflow(editor, {
      name: slug,
      description: null,
      definition: greeting(),
    });
    await deployWorkflow(editor, { workflowId, slug });
  }
  await db().query("update actions set status = 'paused' where workspace_id = $1 and slug = 'paused'", [
    editor.workspaceId,
  ]);
  return editor;
}

async function newKey(editor: Editor & { userId: string }, ...scopes: Scope[]): Promise<string> {
  return (await createKey({ ...editor, name: "test", ...(scopes.length > 0 ? { scopes } : {}) })).raw_key;
}

async function rpc(rawKey: string | null, method: string, params: unknown = {}) {
  const response = await fetch(server.url, {
    method: "POST",
    headers: rawKey === null ? {} : { authorization: `Bearer ${rawKey}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** What an agent sees of one call. */
async function call(rawKey: string | null, name: string, args: unknown) {
  const { status, headers, body } = await rpc(rawKey, "tools/call", { name, arguments: args });
  const { content, isError = false, structuredContent } = body.result;
  const [first, hint] = content as { text: string }[];
  return { status, headers, isError, body: JSON.parse(first?.text ?? ""), hint: hint?.text, structuredContent };
}

const callRest = (operation: typeof runActionOperation, rawKey: string, slug: string, body: unknown) =>
  restRoute(operation)(
    new Request("http://localhost/", {
      method: "POST",
      headers: { authorization: `Bearer ${rawKey}` },
      body: JSON.stringify(body),
    }),
    { params: Promise.resolve({ slug }) },
  );

describe("a tool answers what REST answers", () => {
  test("for a run: the same object, as text and as structured content", async () => {
    const input = { who: "Ada" };
    const viaMcp = await call(key, "run_action", { slug: "greet", input, correlation_id: "order-7" });
    const viaRest = await (
      await callRest(runActionOperation, key, "greet", { input, correlation_id: "order-7" })
    ).json();
    expect(viaMcp).toMatchObject({ status: 200, isError: false, structuredContent: viaMcp.body });
    expect(viaMcp.body).toEqual({ ...viaRest, run_id: viaMcp.body.run_id, created_at: viaMcp.body.created_at });

    await db().query(FINISH, [viaMcp.body.run_id]);
    const polled = await call(key, "get_run_status", { run_id: viaMcp.body.run_id });
    const response = await restRoute(getRunStatusOperation)(
      new Request("http://localhost/", { headers: { authorization: `Bearer ${key}` } }),
      { params: Promise.resolve({ run_id: viaMcp.body.run_id }) },
    );
    expect(polled.body).toEqual(await response.json());
    expect(polled.body).toMatchObject({ status: "succeeded", output: { text: "Hello" } });
  });

  test.each([
    ["400 INPUT_VALIDATION_FAILED with every wrong field", "greet", { input: { who: 7 } }],
    ["400 for an input that is no object, as if it were empty", "greet", { input: "no object" }],
    ["400 BAD_REQUEST for a field of the wrong type", "greet", { input: {}, dry_run: "yes" }],
    ["400 BAD_REQUEST for NUL, which cannot be stored", "greet", { input: { who: "a\u0000b" } }],
    ["400 BAD_REQUEST for half a surrogate pair", "greet", { input: { who: "\ud800" } }],
    ["404 ACTION_NOT_FOUND", "nowhere", { input: {} }],
    ["409 ACTION_UNAVAILABLE", "paused", { input: { who: "Ada" } }],
  ])("for %s", async (_, slug, body) => {
    const viaMcp = await call(key, "run_action", { slug, ...body });
    const viaRest = await callRest(runActionOperation, key, slug, body);
    expect(viaMcp).toMatchObject({ status: 200, isError: true, structuredContent: undefined });
    expect(viaMcp.body).toEqual(await viaRest.json());
    expect(viaRest.status).toBeGreaterThanOrEqual(400);
  });

  test("for 403 FORBIDDEN, before it looks at anything else", async () => {
    const reader = await newKey(ann, "runs:read");
    const viaMcp = await call(reader, "run_action", { slug: "\u0000", input: 7 });
    expect(viaMcp.isError).toBe(true);
    expect(viaMcp.body).toEqual(await (await callRest(runActionOperation, reader, "greet", {})).json());
    expect(viaMcp.body).toMatchObject({ code: "FORBIDDEN", details: { required_scope: "actions:run" } });
  });

  test("for another workspace's action and run: as if they did not exist", async () => {
    const bob = await newKey(await newWorkspace("bob"));
    const { body: run } = await call(key, "run_action", { slug: "greet", input: { who: "Ada" } });
    expect((await call(bob, "get_run_status", { run_id: run.run_id })).body.code).toBe("RUN_NOT_FOUND");
  });
});

describe("what a model needs beside the error", () => {
  test("is the expected schema when its input does not match", async () => {
    const { hint } = await call(key, "run_action", { slug: "greet", input: {} });
    expect(JSON.parse(hint?.split("schema: ")[1] ?? "")).toEqual({
      type: "object",
      properties: { who: { type: "string" } },
      required: ["who"],
    });
  });

  test("is nothing that its key may not read", async () => {
    const { body, hint } = await call(await newKey(ann, "actions:run"), "run_action", { slug: "greet", input: {} });
    expect(body.code).toBe("INPUT_VALIDATION_FAILED");
    expect(hint).toBeUndefined();
  });

  test("is the id of the request, and nothing of ours, when we fail", async () => {
    const { level } = log;
    log.level = "silent";
    onTestFinished(() => {
      log.level = level;
    });
    for (const name of ["throw_internals", "answer_what_json_cannot_hold"]) {
      const { status, isError, body, hint, headers } = await call(key, name, {});
      expect({ status, isError, code: body.code }).toEqual({ status: 200, isError: true, code: "INTERNAL_ERROR" });
      expect(hint).toBe(`Request id: ${headers.get("x-request-id")}`);
      expect(JSON.stringify(body)).not.toMatch(/hunter2|srv|BigInt/);
    }
  });
});

describe("an input that arrives as JSON text", () => {
  test("is the object it holds", async () => {
    const { body } = await call(key, "run_action", { slug: "greet", input: '{"who": "Ada"}' });
    expect(body).toMatchObject({ status: "accepted", input: { who: "Ada" } });
  });

  test.each(["\\u0000", "\\ud800"])("may not smuggle in what cannot be stored: %s", async (escaped) => {
    const { body } = await call(key, "run_action", { slug: "greet", input: `{"who": "${escaped}"}` });
    expect(body.code).toBe("BAD_REQUEST");
  });

  test("may be nested as deep as REST allows and no deeper, however deep it is", async () => {
    const nested = (levels: number) => `${'{"who":'.repeat(levels)}1${"}".repeat(levels)}`;
    for (const levels of [40, 100_000]) {
      expect((await call(key, "run_action", { slug: "greet", input: nested(levels) })).body.code).toBe("BAD_REQUEST");
    }
    const args = `{"slug": "greet", "input": ${nested(100_000)}}`;
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_action","arguments":${args}}}`;
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(server.url, { method: "POST", headers, body: message });
    expect(await response.text()).toContain("nested deeper than 32 levels");
  });
});

describe("a key that is not valid", () => {
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

  test("is told to a tool call as its result, and to everything else as HTTP 401", async () => {
    for (const [name, rawKey, text] of await invalidKeys()) {
      const tool = await call(rawKey, "list_actions", {});
      expect({ name, status: tool.status, isError: tool.isError }).toEqual({ name, status: 200, isError: true });
      expect(tool.body).toEqual({ error: expect.stringMatching(text), code: "UNAUTHORIZED" });

      const list = await rpc(rawKey, "tools/list");
      expect({ name, status: list.status }).toEqual({ name, status: 401 });
      expect(list.headers.get("www-authenticate")).toBe("Bearer");
      expect(list.body).toMatchObject({ jsonrpc: "2.0", id: 1, error: { data: tool.body } });
      for (const { headers } of [tool, list]) expect(headers.get("x-ratelimit-limit")).toBeNull();
    }
  });

  test("cannot be sent otherwise than as a Bearer token", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const elsewhere = { "x-api-key": key, cookie: `key=${key}`, authorization: `Basic ${key}` };
    for (const [name, value] of Object.entries(elsewhere)) {
      const headers = { [name]: value };
      expect((await fetch(server.url, { method: "POST", headers, body })).status).toBe(401);
    }
    expect((await fetch(`${server.url}?api_key=${key}`, { method: "POST", body })).status).toBe(401);
  });
});

// Dozens of requests one after another: slow machines need longer than for one.
describe("limits", { timeout: 30_000 }, () => {
  test("REST and MCP spend one budget; a spent one is a tool's result, or a JSON-RPC error over HTTP 200", async () => {
    const eve = await newEditor("eve");
    const rawKey = await newKey(eve);
    const remaining = ({ headers }: { headers: Headers }) => Number(headers.get("x-ratelimit-remaining"));

    expect(remaining(await callRest(runActionOperation, rawKey, "nowhere", {}))).toBe(59);
    const tool = await call(rawKey, "run_action", { slug: "nowhere" });
    expect([remaining(tool), tool.headers.get("x-ratelimit-limit")]).toEqual([58, "60"]);
    for (let left = 57; left >= 0; left--) expect(remaining(await rpc(rawKey, "ping"))).toBe(left);

    const refusedTool = await call(rawKey, "list_actions", {});
    expect(refusedTool).toMatchObject({ status: 200, isError: true });
    expect(refusedTool.body).toEqual({ error: "Rate limit exceeded", code: "RATE_LIMIT_EXCEEDED" });
    const wait = Number(refusedTool.headers.get("retry-after"));
    expect(refusedTool.hint).toBe(`Wait at least ${wait} seconds before the next call.`);
    expect(wait).toBeGreaterThan(0);

    const refused = await rpc(rawKey, "tools/list");
    expect(refused).toMatchObject({ status: 200, body: { error: { data: refusedTool.body } } });
    for (const answer of [refusedTool, refused]) expect(remaining(answer)).toBe(0);
  });

  test("the hundred runs an hour of a user end in a tool's result that says how long to wait", async () => {
    const dan = await newWorkspace("dan");
    const rawKey = await newKey(dan);
    for (let run = 0; run < 100; run++) {
      expect((await callRest(runActionOperation, rawKey, "greet", { input: { who: "Ada" } })).status).toBe(202);
    }
    const answer = await call(rawKey, "run_action", { slug: "greet", input: { who: "Ada" } });
    expect(answer).toMatchObject({ status: 200, isError: true, body: { code: "RATE_LIMIT_EXCEEDED" } });
    expect(answer.hint).toContain(`Wait at least ${answer.headers.get("retry-after")} seconds`);
    const dryRun = await call(rawKey, "run_action", { slug: "greet", input: { who: "Ada" }, dry_run: true });
    expect(dryRun).toMatchObject({ isError: false, body: { status: "succeeded", dry_run: true } });
  });
});

test("an idempotency key is an argument: a header that a client sends with every call does not make one run of all", async () => {
  const args = { slug: "greet", input: { who: "Ada" } };
  const send = async (idempotency_key?: string) => {
    const response = await fetch(server.url, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "idempotency-key": "configured-once" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "run_action", arguments: { ...args, idempotency_key } },
      }),
    });
    const { result } = await response.json();
    return { runId: result.structuredContent.run_id, replayed: response.headers.get("idempotent-replayed") };
  };
  expect((await send()).runId).not.toBe((await send()).runId);
  const first = await send("order-7");
  expect(await send("order-7")).toEqual({ runId: first.runId, replayed: "true" });
});
