import { describe, expect, test } from "vitest";
import { callRest } from "#lib/api/rest/rest.fixture";
import type { RunObject } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

const workspace = await addWorkspace();
const key = (await addKey(workspace)).raw_key;
await addAction(workspace, { slug: "greet" });
await addAction(workspace, { slug: "held", approvalPolicy: "always" });

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const run = (body: unknown = { input: { name: "Ada" } }, headers: Record<string, string> = {}, slug = "greet") =>
  callRest("POST", `/actions/${slug}/run`, { key, body, headers });
const read = (runId: unknown) => callRest("GET", `/runs/${runId}`, { key });

describe("POST /actions/:slug/run", () => {
  test("answers 202 with the run object; fields of a later state are null", async () => {
    const { status, body, headers } = await run();
    expect(status).toBe(202);
    expect(body).toEqual({
      run_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      action_slug: "greet",
      action_release_version: 1,
      source: "action",
      status: "accepted",
      input: { name: "Ada", count: 1 },
      output: null,
      error: null,
      steps: [],
      approval: null,
      dry_run: false,
      correlation_id: body.run_id,
      workflow_id: expect.any(String),
      workflow_version_id: expect.any(String),
      resume_from_run_id: null,
      started_at: null,
      completed_at: null,
      duration_ms: null,
      created_at: expect.stringMatching(ISO),
    });
    expect(headers.get("x-correlation-id")).toBe(body.run_id);
    expect((await read(body.run_id)).body).toEqual(body);
  });

  test("a run of an action under approval_policy always waits, and its approval is filled in", async () => {
    const { status, body } = await run(undefined, {}, "held");
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: "waiting_for_approval", started_at: null, steps: [] });
    const approval = body.approval as JsonObject;
    expect(approval).toEqual({
      id: expect.any(String),
      status: "pending",
      kind: "policy",
      step_id: null,
      message: null,
      requested_at: expect.stringMatching(ISO),
      expires_at: expect.stringMatching(ISO),
      decided_at: null,
      decided_by: null,
      comment: null,
    });
    expect(Date.parse(String(approval.expires_at)) - Date.parse(String(approval.requested_at))).toBe(3_600_000);
    expect((await read(body.run_id)).body).toEqual(body);
  });

  test("a dry run is 202 succeeded with nulls; reading it later shows the same with a duration of zero", async () => {
    const { status, body } = await run({ input: { name: "Ada" }, dry_run: true });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      source: "dry_run",
      status: "succeeded",
      dry_run: true,
      output: null,
      started_at: null,
      completed_at: null,
      duration_ms: null,
    });
    expect((await read(body.run_id)).body).toMatchObject({
      completed_at: body.created_at,
      duration_ms: 0,
      output: null,
    });
  });

  test.each([[null], ["text"], [[1, 2]], [7], [true], [undefined]])(
    "an input that is not an object (%j) becomes an empty object and is validated as one",
    async (input) => {
      const { status, body } = await run({ input });
      expect(status).toBe(400);
      expect(body).toEqual({
        error: expect.any(String),
        code: "INPUT_VALIDATION_FAILED",
        reason: "input_validation_failed",
        details: [{ field: "name", pointer: "/name", code: "required", message: expect.any(String) }],
      });
    },
  );

  test("an empty body is an empty object, and the content-type does not matter", async () => {
    expect((await callRest("POST", "/actions/greet/run", { key })).body.code).toBe("INPUT_VALIDATION_FAILED");
    const typed = await run(JSON.stringify({ input: { name: "Ada" } }), { "content-type": "text/plain" });
    expect(typed.status).toBe(202);
  });

  test("all invalid fields are reported at once", async () => {
    const { body } = await run({ input: { name: 1, count: "many" } });
    expect(body.code).toBe("INPUT_VALIDATION_FAILED");
    expect((body.details as JsonObject[]).map((detail) => detail.pointer).sort()).toEqual(["/count", "/name"]);
  });

  test("a key __proto__ in the input has no effect", async () => {
    const { status } = await run(
      '{"input": {"name": "Ada", "__proto__": {"polluted": true}}, "__proto__": {"polluted": true}}',
    );
    expect(status).toBeLessThan(500);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("correlation_id comes from the header or the field, is returned and finds the run", async () => {
    const id = `order/7:${uuidv7()}`;
    const byHeader = await run(undefined, { "x-correlation-id": id });
    expect(byHeader.body.correlation_id).toBe(id);
    expect(byHeader.headers.get("x-correlation-id")).toBe(id);
    const byField = await run({ input: { name: "Ada" }, correlation_id: id }, { "x-correlation-id": "other" });
    expect(byField.body.correlation_id).toBe(id);
    const { body } = await callRest("GET", `/runs?correlation_id=${encodeURIComponent(id)}`, { key });
    expect((body.data as RunObject[]).map((item) => item.run_id)).toEqual([byField.body.run_id, byHeader.body.run_id]);
  });

  test("a repeated idempotency key returns the same answer, marked as replayed", async () => {
    const headers = { "idempotency-key": uuidv7() };
    const first = await run(undefined, headers);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const again = await run(undefined, headers);
    expect(again).toMatchObject({ status: 202, body: first.body });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("x-ratelimit-remaining")).not.toBe(first.headers.get("x-ratelimit-remaining"));
    const other = await run({ input: { name: "Grace" } }, headers);
    expect(other).toMatchObject({ status: 422, body: { code: "IDEMPOTENCY_KEY_REUSED" } });
  });

  test("one payload can be spelled in several ways; what differs in a value is another one", async () => {
    const headers = { "idempotency-key": uuidv7() };
    const send = (input: string) => run(`{"input":${input}}`, headers);
    const { body } = await send('{"name":"Ada","count":10,"more":{"a":0,"b":[1]}}');
    for (const same of [
      '{"name":"Ada","count":10.0,"more":{"a":-0,"b":[1.0]}}',
      '{"count":1e1,"more":{"b":[1e0],"a":0e5},"name":"Ada"}',
      ' { "name" : "\\u0041da" , "more":{"a":0,"b":[1]}, "count":1.00E+1 } ',
    ]) {
      expect(await send(same), same).toMatchObject({ status: 202, body: { run_id: body.run_id } });
    }
    for (const other of [
      '{"name":"Ada","count":11,"more":{"a":0,"b":[1]}}',
      '{"name":"Ada","count":10,"more":{"a":"0","b":[1]}}',
      '{"name":"Ada","count":10,"more":{"a":0,"b":[1,null]}}',
      '{"name":"Ada","count":10,"more":{"a":0,"b":[1.0000000000000002]}}',
      '{"name":"ada","count":10,"more":{"a":0,"b":[1]}}',
      '{"name":"Ada ","count":10,"more":{"a":0,"b":[1]}}',
      '{"name":"Ada","count":10,"more":{"a":0,"b":[1],"c":null}}',
    ]) {
      expect(await send(other), other).toMatchObject({ status: 422, body: { code: "IDEMPOTENCY_KEY_REUSED" } });
    }
    const unclear = '{"name":"Bob","name":"Ada","count":10,"more":{"a":0,"b":[1]}}';
    expect(await send(unclear)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
  });

  test.each([
    ["correlation_id", { correlation_id: "with space" }, {}],
    ["correlation_id", { correlation_id: "x".repeat(129) }, {}],
    ["correlation_id", { correlation_id: 7 }, {}],
    ["correlation_id", {}, { "x-correlation-id": "ü" }],
    ["idempotency_key", {}, { "idempotency-key": "x".repeat(256) }],
    ["idempotency_key", {}, { "idempotency-key": "" }],
    ["idempotency_key", { idempotency_key: "a b" }, {}],
    ["dry_run", { dry_run: "true" }, {}],
    ["dry_run", { dry_run: 1 }, {}],
  ])("%s is named if it is invalid: %j %j", async (field, body, headers) => {
    const answer = await run({ input: { name: "Ada" }, ...body }, headers as Record<string, string>);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: "BAD_REQUEST", error: expect.stringMatching(new RegExp(`^${field}:`)) });
  });

  test("the slug in the path takes precedence over one in the body, and unknown fields are ignored", async () => {
    const { status, body } = await run({ slug: "held", unknown: 1, input: { name: "Ada" } });
    expect(status).toBe(202);
    expect(body.action_slug).toBe("greet");
  });
});
