import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { defineOperation, type Operation } from "#lib/api/operations/define/define-operation";
import { OPERATIONS } from "#lib/api/operations/registry";
import { getRunStatusOperation } from "#lib/api/operations/runs/runs";
import { restRoute } from "#lib/api/rest/rest-route";
import { callTool, newKey, newWorkspace, runOverRest } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { log } from "#lib/platform/config/log";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const failing = (name: string, run: () => Promise<unknown>) =>
  defineOperation({
    name,
    title: name,
    description: name,
    scope: "runs:read",
    role: "viewer",
    mcp: { readOnly: true },
    input: z.object({}),
    output: z.unknown(),
    run,
  }) as Operation;

const server = await startMcpServer([
  ...OPERATIONS,
  failing("throw_internals", () => Promise.reject(new Error("password=hunter2 at /srv/db"))),
  failing("answer_what_json_cannot_hold", async () => ({ count: 1n })),
]);
const ann = await newWorkspace("ann");
const key = await newKey(ann);
afterAll(() => server.close());

const call = (rawKey: string, name: string, args: unknown) => callTool(server.url, rawKey, name, args);

/** Ends the run like a worker would. */
const FINISH = `update runs set status = 'succeeded', output = '{"text": "Hello"}', started_at = now(), completed_at = now()
  where id = $1`;

describe("a tool answers like REST", () => {
  test("for a run: the same object, as text and as structured content", async () => {
    const input = { who: "Ada" };
    const viaMcp = await call(key, "run_action", { slug: "greet", input, correlation_id: "order-7" });
    const viaRest = await (await runOverRest(key, "greet", { input, correlation_id: "order-7" })).json();
    expect(viaMcp).toMatchObject({ status: 200, isError: false, structuredContent: viaMcp.body });
    expect(viaMcp.body).toEqual({ ...viaRest, run_id: viaMcp.body.run_id, created_at: viaMcp.body.created_at });

    await db().query(FINISH, [viaMcp.body.run_id]);
    const polled = await call(key, "get_run_status", { run_id: viaMcp.body.run_id });
    const response = await restRoute(getRunStatusOperation)(
      new Request("http://localhost/", { headers: { authorization: `Bearer ${key}` } }),
      { run_id: viaMcp.body.run_id },
    );
    expect(polled.body).toEqual(await response.json());
    expect(polled.body).toMatchObject({ status: "succeeded", output: { text: "Hello" } });
  });

  test.each([
    ["400 INPUT_VALIDATION_FAILED with every invalid field", "greet", { input: { who: 7 } }],
    ["400 for an input that is not an object, as if it were empty", "greet", { input: "no object" }],
    ["400 BAD_REQUEST for a field of the wrong type", "greet", { input: {}, dry_run: "yes" }],
    ["400 BAD_REQUEST for NUL, which cannot be stored", "greet", { input: { who: "a\u0000b" } }],
    ["400 BAD_REQUEST for an unpaired surrogate", "greet", { input: { who: "\ud800" } }],
    ["404 ACTION_NOT_FOUND", "nowhere", { input: {} }],
    ["409 ACTION_UNAVAILABLE", "paused", { input: { who: "Ada" } }],
  ])("for %s", async (_, slug, body) => {
    const viaMcp = await call(key, "run_action", { slug, ...body });
    const viaRest = await runOverRest(key, slug, body);
    expect(viaMcp).toMatchObject({ status: 200, isError: true, structuredContent: undefined });
    expect(viaMcp.body).toEqual(await viaRest.json());
    expect(viaRest.status).toBeGreaterThanOrEqual(400);
  });

  test("for 403 FORBIDDEN, before it checks anything else", async () => {
    const reader = await newKey(ann, "runs:read");
    const viaMcp = await call(reader, "run_action", { slug: "\u0000", input: 7 });
    expect(viaMcp.isError).toBe(true);
    expect(viaMcp.body).toEqual(await (await runOverRest(reader, "greet", {})).json());
    expect(viaMcp.body).toMatchObject({ code: "FORBIDDEN", details: { required_scope: "actions:run" } });
  });

  test("for an action and a run of another workspace: not found", async () => {
    const bob = await newKey(await newWorkspace("bob"));
    const { body: run } = await call(key, "run_action", { slug: "greet", input: { who: "Ada" } });
    expect((await call(bob, "get_run_status", { run_id: run.run_id })).body.code).toBe("RUN_NOT_FOUND");
  });
});

describe("the hint after the error", () => {
  test("contains the expected schema if the input does not match it", async () => {
    const { hint } = await call(key, "run_action", { slug: "greet", input: {} });
    expect(JSON.parse(hint?.split("schema: ")[1] ?? "")).toEqual({
      type: "object",
      properties: { who: { type: "string" } },
      required: ["who"],
    });
  });

  test("contains nothing that the key may not read", async () => {
    const { body, hint } = await call(await newKey(ann, "actions:run"), "run_action", { slug: "greet", input: {} });
    expect(body.code).toBe("INPUT_VALIDATION_FAILED");
    expect(hint).toBeUndefined();
  });

  test("contains the id of the request and no internals if the server fails", async () => {
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
  test("is parsed as an object", async () => {
    const { body } = await call(key, "run_action", { slug: "greet", input: '{"who": "Ada"}' });
    expect(body).toMatchObject({ status: "accepted", input: { who: "Ada" } });
  });

  test.each(["\\u0000", "\\ud800"])("cannot contain values that cannot be stored: %s", async (escaped) => {
    const { body } = await call(key, "run_action", { slug: "greet", input: `{"who": "${escaped}"}` });
    expect(body.code).toBe("BAD_REQUEST");
  });

  test("can be nested as deep as REST allows and no deeper", async () => {
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

  test("can contain as many values as REST allows and no more", async () => {
    const input = `{"who": "Ada", "list": [${"[],".repeat(200_000)}0]}`;
    const { body } = await call(key, "run_action", { slug: "greet", input });
    expect(body).toMatchObject({ code: "PAYLOAD_TOO_LARGE", error: expect.stringContaining("200,000 values") });
    const args = `{"slug": "greet", "input": ${input}}`;
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_action","arguments":${args}}}`;
    const response = await fetch(server.url, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: message,
    });
    expect([response.status, await response.text()]).toEqual([413, expect.stringContaining("200,000 values")]);
  });
});

test("an idempotency key is an argument: a header that a client sends with every call does not turn all calls into one run", async () => {
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
