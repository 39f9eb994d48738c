import { createHmac } from "node:crypto";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { post, request } from "#lib/api/webhooks/webhook.fixture";
import { listDeliveries } from "#lib/domain/triggers/deliveries/list-deliveries";
import { addTrigger, runsOf, STANDARD_SECRET, signStandard } from "#lib/domain/triggers/trigger.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

process.env.RUNS_PER_USER_PER_HOUR = "0";
const workspace = await addWorkspace();
afterAll(() => {
  delete process.env.RUNS_PER_USER_PER_HOUR;
});

const open = () => addTrigger(workspace, { kind: "webhook" });
const JSON_TYPE = { "content-type": "application/json" };

/** Builds a request as a browser or curl would. */
async function formRequest(fields: [string, string | File][]) {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const response = new Response(form);
  return {
    body: Buffer.from(await response.arrayBuffer()),
    headers: { "content-type": response.headers.get("content-type") ?? "" },
  };
}

describe("a multipart form", () => {
  test("starts a run with its fields and files", async () => {
    const trigger = await open();
    const { body, headers } = await formRequest([
      ["formID", "231"],
      ["rawRequest", '{"q3_name":"Ada"}'],
      ["tag", "a"],
      ["tag", "b"],
      ["photo", new File([Uint8Array.of(1, 2, 255)], "é.png", { type: "image/png" })],
    ]);
    expect((await post(trigger.subscriptionId, body, headers)).status).toBe(202);
    const [run] = await runsOf(trigger);
    expect(run.input.output.body).toEqual({
      formID: "231",
      rawRequest: '{"q3_name":"Ada"}',
      tag: ["a", "b"],
      photo: { filename: "é.png", content_type: "image/png", size: 3, data: "AQL/" },
    });
  });

  test("of 900 KB is read, and its file is too large to be kept", async () => {
    const trigger = await open();
    const file = new File([Buffer.alloc(900_000, 7)], "large.bin");
    const { body, headers } = await formRequest([
      ["title", "x"],
      ["file", file],
    ]);
    expect((await post(trigger.subscriptionId, body, headers)).status).toBe(202);
    const [run] = await runsOf(trigger);
    expect(run.input.output.body).toMatchObject({ title: "x", file: { size: 900_000, data: null } });
  });

  test.each<[string, string, string]>([
    ["no boundary", "--b\r\n", "multipart/form-data"],
    ["another boundary", "--b\r\n", "multipart/form-data; boundary=c"],
    ["no end", '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1', "multipart/form-data; boundary=b"],
  ])("with %s is a 400 that says so, and is logged", async (_name, body, type) => {
    const trigger = await open();
    const answer = await post(trigger.subscriptionId, body, { "content-type": type });
    expect([answer.status, answer.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(answer.body.error).toContain("not a multipart form");
    const { data } = await listDeliveries(workspace.workspaceId, trigger.workflowId, { limit: 20 });
    expect(data.map(({ verdict }) => verdict)).toEqual(["bad_request"]);
  });
});

test.each([
  ["text/csv", "a,b"],
  ["application/xml", "<a/>"],
  ["application/x-ndjson", "{}\n{}"],
])("a body of the type %s is a 415 that names the type, and starts no run", async (type, body) => {
  const trigger = await open();
  const answer = await post(trigger.subscriptionId, body, { "content-type": `${type}; charset=utf-8` });
  expect([answer.status, answer.body.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  expect(answer.body.error).toContain(` ${type} `);
  expect(await runsOf(trigger)).toEqual([]);
  const { data } = await listDeliveries(workspace.workspaceId, trigger.workflowId, { limit: 20 });
  expect(data.map(({ verdict }) => verdict)).toEqual(["bad_request"]);
});

test.each(["", " ", "\r\n", "\uFEFF", " \n\t "])("a body that is empty or blank is null: %j", async (body) => {
  const trigger = await addTrigger(workspace, { kind: "webhook", delivery_id: [{ body: "id" }] });
  expect((await post(trigger.subscriptionId, body, JSON_TYPE)).status).toBe(202);
  expect((await post(trigger.subscriptionId, body, { "content-type": "text/plain" })).status).toBe(202);
  expect((await runsOf(trigger)).map(({ input }) => input.output.body)).toEqual([null, null]);
});

describe("a compressed body", () => {
  const text = '{"order":{"id":7}}';

  test.each<[string, Buffer]>([
    ["gzip", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    ["GZIP", gzipSync(text)],
    ["identity, gzip", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["deflate", deflateRawSync(text)],
    ["br", brotliCompressSync(text)],
    ["identity", Buffer.from(text)],
  ])("with the content-encoding %s is read", async (encoding, body) => {
    const trigger = await open();
    const answer = await post(trigger.subscriptionId, body, { ...JSON_TYPE, "content-encoding": encoding });
    expect(answer.status).toBe(202);
    expect((await runsOf(trigger))[0].input.output.body).toEqual({ order: { id: 7 } });
  });

  test.each<[string, string, Buffer, number, string]>([
    ["an encoding that is not known", "compress", Buffer.from(text), 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["two encodings", "gzip, br", Buffer.from(text), 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["another encoding than it says", "gzip", Buffer.from(text), 400, "BAD_REQUEST"],
    ["half of its bytes", "gzip", gzipSync(text).subarray(0, -6), 400, "BAD_REQUEST"],
    ["10 MiB in 10 KiB", "gzip", gzipSync(Buffer.alloc(10_485_760, 32)), 413, "PAYLOAD_TOO_LARGE"],
  ])("with %s is refused", async (_name, encoding, body, status, code) => {
    const trigger = await open();
    const answer = await post(trigger.subscriptionId, body, { ...JSON_TYPE, "content-encoding": encoding });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test("is genuine if its sender signed what it wrote, or what is on the wire", async () => {
    const secret = "s";
    const trigger = await addTrigger(workspace, { kind: "webhook", scheme: "generic", secret });
    const send = (content: string, signed: (body: Buffer) => Buffer) => {
      const body = gzipSync(content);
      const signature = createHmac("sha256", secret).update(signed(body)).digest("hex");
      const headers = { ...JSON_TYPE, "content-encoding": "gzip", "x-webhook-signature": signature };
      return post(trigger.subscriptionId, body, headers);
    };
    expect((await send('{"a":1}', () => Buffer.from('{"a":1}'))).status).toBe(202);
    expect((await send('{"a":2}', (body) => body)).status).toBe(202);
    expect((await send('{"a":3}', () => Buffer.from('{"a":4}'))).status).toBe(401);
  });
});

describe("a sender without a delivery id", () => {
  const secret = "s";
  const generic = (more: object = {}) => addTrigger(workspace, { kind: "webhook", scheme: "generic", secret, ...more });
  const sign = (body: string) => ({ "x-webhook-signature": createHmac("sha256", secret).update(body).digest("hex") });

  test("starts one run for the same body, and its retry gets the run's id", async () => {
    const trigger = await generic();
    const first = await post(trigger.subscriptionId, '{"event":1}', sign('{"event":1}'));
    const again = await post(trigger.subscriptionId, '{"event":1}', sign('{"event":1}'));
    expect([again.status, again.body]).toEqual([200, { accepted: false, duplicate: true, run_id: first.body.run_id }]);
    expect((await post(trigger.subscriptionId, '{"event":2}', sign('{"event":2}'))).status).toBe(202);
    expect(await runsOf(trigger)).toHaveLength(2);
  });

  test("starts a run for each signal that has no content", async () => {
    const trigger = await generic();
    for (const body of ["", "{}", " { } ", "[]", "null", '""']) {
      for (let round = 0; round < 2; round += 1) {
        expect((await post(trigger.subscriptionId, body, sign(body))).status, body).toBe(202);
      }
    }
  });

  test("starts a run for each delivery if the trigger says so", async () => {
    const trigger = await generic({ delivery_id: "none" });
    for (let round = 0; round < 2; round += 1) {
      expect((await post(trigger.subscriptionId, '{"a":1}', sign('{"a":1}'))).status).toBe(202);
    }
    expect((await post(trigger.subscriptionId, '{"a":2}', { ...sign('{"a":2}'), "webhook-id": "1" })).status).toBe(202);
    expect((await post(trigger.subscriptionId, '{"a":3}', { ...sign('{"a":3}'), "webhook-id": "1" })).status).toBe(202);
  });

  test("may have its id where the trigger says, whatever the rest of the body is", async () => {
    const trigger = await generic({ delivery_id: [{ body: "meta.id" }, { header: "x-topic" }] });
    const send = (body: string, topic: string) =>
      post(trigger.subscriptionId, body, { ...sign(body), "x-topic": topic });
    expect((await send('{"meta":{"id":1},"attempt":1}', "a")).status).toBe(202);
    expect((await send('{"meta":{"id":1},"attempt":2}', "a")).status).toBe(200);
    expect((await send('{"meta":{"id":1},"attempt":1}', "b")).status).toBe(202);
    expect((await send('{"meta":{"id":2},"attempt":1}', "a")).status).toBe(202);
  });

  test.each<[string, object]>([
    ["in the body", { body: "id" }],
    ["in the query", { query: "id" }],
    ["in a header", { header: "x-id" }],
  ])("is not recognized by an id that is empty, %s", async (_name, place) => {
    const trigger = await generic({ delivery_id: [place] });
    const send = (body: string) =>
      request("POST", `/webhooks/${trigger.subscriptionId}?id=`, { body, headers: { ...sign(body), "x-id": "" } });
    expect((await send('{"id":"","n":1}')).status).toBe(202);
    expect((await send('{"id":"","n":2}')).status).toBe(202);
    expect((await send('{"id":"","n":2}')).status).toBe(200);
    expect((await send('{"id":null,"n":3}')).status).toBe(202);
    expect((await send('{"n":4}')).status).toBe(202);
  });

  test("is recognized by the part of its id that it has", async () => {
    const trigger = await generic({ delivery_id: [{ body: "event" }, { body: "id" }] });
    const send = (body: string) => post(trigger.subscriptionId, body, sign(body));
    expect((await send('{"event":"a","id":"","n":1}')).status).toBe(202);
    expect((await send('{"event":"a","id":"","n":2}')).status).toBe(200);
    expect((await send('{"event":"b","id":"","n":2}')).status).toBe(202);
  });

  test("may have ids beyond 2^53 that differ in their last digit", async () => {
    const trigger = await generic({ delivery_id: [{ body: "id" }] });
    const send = (body: string) => post(trigger.subscriptionId, body, sign(body));
    expect((await send('{"id":8202522731445525542}')).status).toBe(202);
    expect((await send('{"id":8202522731445525543}')).status).toBe(202);
    expect((await send('{"id":8202522731445525542, "attempt":2}')).status).toBe(200);
  });

  test("starts a run for each delivery if no one has to prove to be the sender, unless the trigger says otherwise", async () => {
    const [unsigned, chosen] = [
      await open(),
      await addTrigger(workspace, { kind: "webhook", delivery_id: "whole_body" }),
    ];
    for (const status of [202, 202]) {
      expect((await post(unsigned.subscriptionId, '{"a":1}', JSON_TYPE)).status).toBe(status);
    }
    for (const status of [202, 200]) {
      expect((await post(chosen.subscriptionId, '{"a":1}', JSON_TYPE)).status).toBe(status);
    }
  });

  test("is recognized in a multipart form although each attempt has another boundary", async () => {
    const trigger = await generic();
    const send = async () => {
      const { body, headers } = await formRequest([["a", "1"]]);
      return post(trigger.subscriptionId, body, { ...headers, ...sign(body.toString()) });
    };
    expect((await send()).status).toBe(202);
    expect((await send()).status).toBe(200);
  });

  test("is not asked for one if it has an id", async () => {
    const trigger = await addTrigger(workspace, { kind: "webhook", scheme: "standard", secret: STANDARD_SECRET });
    for (const id of ["msg_1", "msg_2"]) {
      expect((await post(trigger.subscriptionId, '{"a":1}', signStandard('{"a":1}', id))).status).toBe(202);
    }
  });
});
