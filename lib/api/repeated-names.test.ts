import { describe, expect, test } from "vitest";
import { sessionCookie } from "#lib/api/auth/session.fixture";
import { callRest } from "#lib/api/rest/rest.fixture";
import { useApiStage } from "#lib/api/testing/api-stage.fixture";
import { webRoute } from "#lib/api/web/web-route";
import { post } from "#lib/api/webhooks/webhook.fixture";
import { readCallback } from "#lib/core/input/read-callback";
import { addTrigger, runsOf } from "#lib/domain/triggers/trigger.fixture";
import { db } from "#lib/platform/db/pool";

const stage = useApiStage();

const workspace = () => ({ workspaceId: stage.ann.workspaceId, userId: stage.ann.userId, plan: "business" }) as const;

async function countRuns(): Promise<number> {
  const { rows } = await db().query("select count(*)::int as n from runs where workspace_id = $1", [
    stage.ann.workspaceId,
  ]);
  return rows[0].n;
}

async function sendMcp(body: string) {
  const response = await fetch(stage.server.url, {
    method: "POST",
    headers: { authorization: `Bearer ${stage.key}` },
    body,
  });
  return { status: response.status, body: await response.json() };
}

/** Calls a tool with arguments as they are written. */
async function callTool(args: string) {
  const { body } = await sendMcp(
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"run_action","arguments":${args}}}`,
  );
  expect(body.id).toBe(7);
  return { isError: body.result.isError, body: JSON.parse(body.result.content[0].text) };
}

const refusal = (pointer: string) => ({
  code: "BAD_REQUEST",
  error: expect.stringContaining("is there twice in the same object"),
  details: [expect.objectContaining({ pointer, code: "duplicate_name", field: pointer.slice(1).replaceAll("/", ".") })],
});

describe("an object that has a name twice is refused with its pointer, and starts no run", () => {
  test.each([
    ['{"input":{"who":"Ada"},"input":{"who":"Bob"}}', "/input"],
    ['{"input":{"who":"Ada","who":"Bob"}}', "/input/who"],
    ['{"input":{"who":"Ada","list":[0,{"a":1,"a":1}]}}', "/input/list/1/a"],
    ['{"input":{"who":"Ada"},"dry_run":true,"dry_run":false}', "/dry_run"],
    ['{"input":{"who":"Ada","\\u0077ho":"Bob"}}', "/input/who"],
  ])("in a REST body: %s", async (body, pointer) => {
    const before = await countRuns();
    const answer = await callRest("POST", "/actions/greet/run", { key: stage.key, body });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(refusal(pointer))]);
    expect(await countRuns()).toBe(before);
  });

  test("in a REST body, after the action was found", async () => {
    const answer = await callRest("POST", "/actions/nowhere/run", { key: stage.key, body: '{"input":{"a":1,"a":2}}' });
    expect([answer.status, answer.body.code]).toEqual([404, "ACTION_NOT_FOUND"]);
  });

  test("in a body that decides about an approval", async () => {
    const body = '{"decision":"rejected","decision":"approved"}';
    const answer = await callRest("POST", "/runs/01900000-0000-7000-8000-000000000000/approve", {
      key: stage.key,
      body,
    });
    expect(answer.status).toBe(404);
    const { body: run } = await callRest("POST", "/actions/greet/run", {
      key: stage.key,
      body: { input: { who: "Ada" } },
    });
    const refused = await callRest("POST", `/runs/${run.run_id}/approve`, { key: stage.key, body });
    expect([refused.status, refused.body]).toEqual([400, expect.objectContaining(refusal("/decision"))]);
  });

  test.each([
    ['{"slug":"greet","input":{"who":"Ada"},"input":{"who":"Bob"}}', "/input"],
    ['{"slug":"greet","input":{"who":"Ada","who":"Bob"}}', "/input/who"],
    ['{"slug":"greet","input":"{\\"who\\":\\"Ada\\",\\"who\\":\\"Bob\\"}"}', "/input/who"],
  ])("in the arguments of a tool: %s", async (args, pointer) => {
    const before = await countRuns();
    expect(await callTool(args)).toMatchObject({ isError: true, body: refusal(pointer) });
    expect(await countRuns()).toBe(before);
  });

  test("in the input of an item that is JSON text", async () => {
    const items = JSON.stringify([{ input: '{"who":"Ada"}' }, { input: '{"who":"Ada","who":"Bob"}' }]);
    const { body } = await sendMcp(
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"run_actions","arguments":{"slug":"greet","items":${items}}}}`,
    );
    expect(JSON.parse(body.result.content[0].text)).toMatchObject(refusal("/items/1/input/who"));
  });

  test.each([
    ['{"jsonrpc":"2.0","id":7,"method":"ping","method":"tools/list"}', 7],
    ['{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}', null],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"run_action","name":"whoami","arguments":{}}}', 7],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"whoami","arguments":{},"arguments":{}}}', 7],
  ])("in a message of MCP: %s", async (message, id) => {
    expect(await sendMcp(message)).toMatchObject({
      status: 200,
      body: { id, error: { code: -32600, message: expect.stringContaining("twice in the same object") } },
    });
  });

  test("in a request of the web application", async () => {
    const headers = {
      origin: "http://localhost:3000",
      "content-type": "application/json",
      cookie: await sessionCookie(stage.ann.userId),
    };
    const request = new Request("http://localhost:3000/api/web/create_workflow", {
      method: "POST",
      headers,
      body: '{"name":"a","name":"b"}',
    });
    const response = await webRoute(request, { params: Promise.resolve({ operation: "create_workflow" }) });
    expect([response.status, await response.json()]).toEqual([400, expect.objectContaining(refusal("/name"))]);
  });

  test("in the body of a callback", () => {
    const read = (body: string) => readCallback({ body: Buffer.from(body), schema: null });
    expect(() => read('{"status":"paid","status":"open"}')).toThrow(/status: is there twice/);
    expect(read('{"status":"paid"}').body).toEqual({ status: "paid" });
  });
});

test("a webhook that has a name twice starts a run with the last value, as senders are not ours to correct", async () => {
  const trigger = await addTrigger(workspace(), { kind: "webhook" });
  const headers = { "content-type": "application/json" };
  expect((await post(trigger.subscriptionId, '{"a":1,"b":{"c":1,"c":2},"a":2}', headers)).status).toBe(202);
  const [run] = await runsOf(trigger);
  expect(run.input.output.body).toEqual({ a: 2, b: { c: 2 } });
});

describe("a name that every object has", () => {
  const NAMES = ["constructor", "toString", "hasOwnProperty", "prototype", "valueOf"];

  test.each(NAMES)("is data in the input of a run: %s", async (name) => {
    const input = { who: "Ada", [name]: { polluted: true } };
    const { status, body } = await callRest("POST", "/actions/greet/run", { key: stage.key, body: { input } });
    expect([status, body.input]).toEqual([202, input]);
    const run = await callRest("GET", `/runs/${body.run_id}`, { key: stage.key });
    expect(run.body.input).toEqual(input);
    expect(await callTool(JSON.stringify({ slug: "greet", input }))).toMatchObject({ body: { input } });
  });

  test("is refused in the input of a run if it is __proto__, at any depth, and changes no prototype", async () => {
    for (const inside of ['"__proto__":{"polluted":true}', '"list":[{"__proto__":{"polluted":true}}]']) {
      const body = `{"input":{"who":"Ada",${inside}}}`;
      const answer = await callRest("POST", "/actions/greet/run", { key: stage.key, body });
      expect([answer.status, answer.body.code]).toEqual([400, "INPUT_VALIDATION_FAILED"]);
      const called = await callTool(`{"slug":"greet","input":{"who":"Ada",${inside}}}`);
      expect(called).toMatchObject({ isError: true, body: { code: "INPUT_VALIDATION_FAILED" } });
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("is no field of a body: it is ignored by REST and refused by MCP, like every unknown field", async () => {
    for (const name of NAMES) {
      const field = `"${name}":{"dry_run":true}`;
      const answer = await callRest("POST", "/actions/greet/run", {
        key: stage.key,
        body: `{"input":{"who":"Ada"},${field}}`,
      });
      expect([answer.status, answer.body.dry_run], name).toEqual([202, false]);
      const called = await callTool(`{"slug":"greet","input":{"who":"Ada"},${field}}`);
      expect(called, name).toMatchObject({ isError: true, body: { code: "BAD_REQUEST" } });
    }
  });

  test("is ignored in a body or in arguments if it is __proto__", async () => {
    const field = '"__proto__":{"dry_run":true,"slug":"paused"}';
    const answer = await callRest("POST", "/actions/greet/run", {
      key: stage.key,
      body: `{"input":{"who":"Ada"},${field}}`,
    });
    expect([answer.status, answer.body.dry_run]).toEqual([202, false]);
    const called = await callTool(`{"slug":"greet","input":{"who":"Ada"},${field}}`);
    expect(called.body).toMatchObject({ action_slug: "greet", dry_run: false });
  });

  test("is data in the body of a webhook", async () => {
    const trigger = await addTrigger(workspace(), { kind: "webhook" });
    const body = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"a":1}';
    expect((await post(trigger.subscriptionId, body, { "content-type": "application/json" })).status).toBe(202);
    const [run] = await runsOf(trigger);
    expect(Object.keys(run.input.output.body).toSorted()).toEqual(["__proto__", "a", "constructor"]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
