import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import type { ApiError } from "#lib/contract/error/api-error";
import type { WebhookSenderName } from "#lib/contract/webhooks/senders";
import { setTriggerStatus } from "#lib/domain/triggers/activation/set-trigger-status";
import { sendSample } from "#lib/domain/triggers/tests/send-sample";
import { addTrigger, editorIn, runsOf, STANDARD_SECRET } from "#lib/domain/triggers/trigger.fixture";
import { SAMPLED_SENDERS } from "#lib/domain/triggers/verification/send-as.fixture";
import { SENDER_SAMPLES } from "#lib/domain/triggers/verification/sender-samples.fixture";
import { receiveWebhook } from "#lib/domain/triggers/webhooks/receive-webhook";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

/** Whether another server answers at the address, and never ends its answer. */
let isEndless = false;
const received: { url: string; headers: NodeJS.Dict<string | string[]> }[] = [];

const server = createServer(async (request, response) => {
  const writeOn = () => response.write("x".repeat(1_000), () => response.destroyed || setImmediate(writeOn));
  if (isEndless) return writeOn();
  received.push({ url: request.url ?? "", headers: request.headers });
  const [, id = ""] = /^\/webhooks\/([^/?]+)/.exec(request.url ?? "") ?? [];
  const headers = new Headers(request.headers as Record<string, string>);
  const url = `${process.env.WEBHOOK_BASE_URL}${request.url}`;
  const delivery = { method: request.method ?? "", url, headers, body: await buffer(request), receivedAt: new Date() };
  const answer = await receiveWebhook(id, delivery).catch((error: ApiError) => error);
  const isRefused = answer instanceof Error;
  response.statusCode = isRefused ? answer.status : 202;
  response.end(JSON.stringify(isRefused ? { error: answer.message, code: answer.code } : answer));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
process.env.WEBHOOK_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
process.env.RUNS_PER_USER_PER_HOUR = "0";
const workspace = await addWorkspace();
afterAll(() => {
  delete process.env.WEBHOOK_BASE_URL;
  delete process.env.RUNS_PER_USER_PER_HOUR;
  server.close();
});

const sampleOf = (workflowId: string, body = '{"hello":"world"}') =>
  sendSample({ workspaceId: workspace.workspaceId, workflowId, body });

test.each([
  ["unsigned", {}],
  ["any scheme", { secret: STANDARD_SECRET, scheme: "auto" }],
  ["standard", { secret: STANDARD_SECRET, scheme: "standard" }],
  ["standard, with a plain secret", { secret: "not base64!", scheme: "standard" }],
  ["github", { secret: "s", scheme: "github" }],
  ["stripe", { secret: "s", scheme: "stripe" }],
  ["slack", { secret: "s", scheme: "slack" }],
  ["generic", { secret: "s", scheme: "generic", header: "x-own", algorithm: "sha512", encoding: "base64" }],
] as const)(
  "a sample reaches the address over HTTP with the signature that the trigger requires: %s",
  async (_, config) => {
    const trigger = await addTrigger(workspace, { kind: "webhook", ...config });
    const before = received.length;
    const answer = await sampleOf(trigger.workflowId);
    expect(answer).toMatchObject({ status: 202, error: null });
    expect(received.slice(before).map(({ url }) => url)).toEqual([`/webhooks/${trigger.subscriptionId}`]);
    const [run] = await runsOf(trigger);
    expect(run).toMatchObject({
      id: answer.run_id,
      source: "webhook",
      input: { output: { body: { hello: "world" } } },
    });
  },
);

test("a sample is sent with a method of the trigger, and as a query if GET is the only one", async () => {
  const put = await addTrigger(workspace, { kind: "webhook", methods: ["GET", "PUT"] });
  expect(await sampleOf(put.workflowId)).toMatchObject({ status: 202 });
  const get = await addTrigger(workspace, { kind: "webhook", methods: ["GET"] });
  const answer = await sampleOf(get.workflowId, '{"hello":"world","n":7}');
  expect(answer).toMatchObject({ status: 202, error: null });
  const [run] = await runsOf(get);
  expect(run).toMatchObject({ id: answer.run_id, input: { output: { body: { hello: "world", n: "7" } } } });
  expect(await sampleOf(get.workflowId, "{")).toMatchObject({ status: null, error: "The body must be JSON." });
});

const WITH_OWN_KEY: WebhookSenderName[] = [
  "discord",
  "kick",
  "paypal",
  "plaid",
  "sendgrid",
  "sns",
  "standard_public_key",
  "wise",
];
/** It signs only fields of the body, which the sample does not have. */
const SIGNS_FIELDS: WebhookSenderName[] = ["adyen"];

test.each(SAMPLED_SENDERS.filter((name) => ![...WITH_OWN_KEY, ...SIGNS_FIELDS].includes(name)))(
  "a sample is signed as its sender signs, and starts a run: %s",
  async (scheme) => {
    const trigger = await addTrigger(workspace, { kind: "webhook", scheme, secret: SENDER_SAMPLES[scheme].secret });
    const answer = await sampleOf(trigger.workflowId);
    expect(answer).toMatchObject({ status: 202, error: null });
    const [run] = await runsOf(trigger);
    expect(run).toMatchObject({ id: answer.run_id, input: { output: { body: { hello: "world" } } } });
  },
);

test("the same sample starts a run each time, although its sender has no delivery id", async () => {
  const trigger = await addTrigger(workspace, { kind: "webhook", scheme: "generic", secret: "s" });
  for (let round = 0; round < 2; round += 1) {
    expect(await sampleOf(trigger.workflowId)).toMatchObject({ status: 202 });
  }
});

/** Senders with a certificate have any secret. */
const secretOf = (scheme: WebhookSenderName) =>
  Object.entries(SENDER_SAMPLES).find(([name]) => name === scheme)?.[1].secret ?? "s";

test.each(WITH_OWN_KEY)("a sample says that only the sender can sign: %s", async (scheme) => {
  const trigger = await addTrigger(workspace, { kind: "webhook", scheme, secret: secretOf(scheme) });
  const before = received.length;
  const answer = await sampleOf(trigger.workflowId);
  expect(answer).toMatchObject({ status: null, answer: null, run_id: null });
  expect(answer.error).toMatch(/^Only the sender can sign its events/);
  expect(received).toHaveLength(before);
});

test.each(SIGNS_FIELDS)("a sample without the fields that are signed is not sent, and says so: %s", async (scheme) => {
  const trigger = await addTrigger(workspace, { kind: "webhook", scheme, secret: "0a0b" });
  const answer = await sampleOf(trigger.workflowId);
  expect(answer).toMatchObject({ status: null, run_id: null });
  expect(answer.error).toMatch(/for each placeholder in `signed`/);
});

test("a sample is signed by the description of another sender", async () => {
  const verification = {
    type: "hmac",
    signature: { header: "X-Sig", part: "s" },
    encoding: "base64",
    key: "hex",
    signed: "{method} {url} {timestamp} {header:x-id} {query:q} {body}",
    timestamp: { from: { header: "X-Sig", part: "t" }, unit: "iso8601" },
    delivery_id: [{ header: "x-id" }],
  };
  const trigger = await addTrigger(workspace, { kind: "webhook", scheme: "custom", secret: "0a0b0c", verification });
  const [first, second] = [await sampleOf(trigger.workflowId), await sampleOf(trigger.workflowId)];
  expect([first.status, second.status]).toEqual([202, 202]);
  expect(await runsOf(trigger)).toHaveLength(2);
});

test("a body that a sender cannot sign is reported, and a secret that is not one of the sender can't be published", async () => {
  const mailgun = await addTrigger(workspace, { kind: "webhook", scheme: "mailgun", secret: "s" });
  const reasons = {
    "[]": "Signing writes to a field of the body, so the body must be a JSON object.",
    "{": "Signing writes to a field of the body, so the body must be a JSON object.",
    '{"id":9007199254740993}': expect.stringMatching(/must be a JSON object\. The number at id has more digits/),
    '{"signature":1}': expect.stringMatching(/^Signing writes to signature\S* in the body, but a field on that path/),
  };
  for (const [body, error] of Object.entries(reasons)) {
    expect(await sampleOf(mailgun.workflowId, body), body).toMatchObject({ status: null, error });
  }
  await expect(
    addTrigger(workspace, { kind: "webhook", scheme: "airtable", secret: "not base64!" }),
  ).rejects.toMatchObject({
    details: [{ field: "secret", message: expect.stringContaining("it must be base64") }],
  });
});

test("a path of a sender cannot change a prototype", async () => {
  const verification = { type: "token", token: { body: "__proto__.polluted" } };
  const trigger = await addTrigger(workspace, { kind: "webhook", scheme: "custom", secret: "s", verification });
  await sampleOf(trigger.workflowId);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

test("two samples with the same body start two runs", async () => {
  const trigger = await addTrigger(workspace, { kind: "webhook", secret: STANDARD_SECRET, scheme: "standard" });
  const [first, second] = [await sampleOf(trigger.workflowId), await sampleOf(trigger.workflowId)];
  expect(first.run_id).not.toBe(second.run_id);
  expect(await runsOf(trigger)).toHaveLength(2);
});

test("the refusal of a sample is shown as the sender sees it", async () => {
  const trigger = await addTrigger(workspace, { kind: "webhook" });
  const answer = await sampleOf(trigger.workflowId, "{not json");
  expect(answer).toMatchObject({ status: 400, run_id: null, error: null });
  expect(answer.answer).toContain("BAD_REQUEST");
});

test("only the start of an endless answer is read", async () => {
  const trigger = await addTrigger(workspace, { kind: "webhook" });
  isEndless = true;
  const answer = await sampleOf(trigger.workflowId);
  isEndless = false;
  expect(answer).toMatchObject({ status: 200, answer: "x".repeat(2_000), run_id: null });
});

test("an address that does not answer is reported, not thrown", async () => {
  const trigger = await addTrigger(workspace, { kind: "webhook" });
  await new Promise((resolve) => server.close(resolve));
  const answer = await sampleOf(trigger.workflowId);
  expect(answer).toMatchObject({ status: null, run_id: null });
  expect(answer.error).toMatch(/could not be reached from this server \(ECONNREFUSED\)/);
});

test("only the workspace's own active webhooks get a sample", async () => {
  const codeOf = (promise: Promise<unknown>) => promise.catch((error: ApiError) => error.code);
  const trigger = await addTrigger(workspace, { kind: "webhook" });
  const other = await addWorkspace();
  const asOther = sendSample({ workspaceId: other.workspaceId, workflowId: trigger.workflowId, body: "{}" });
  expect(await codeOf(asOther)).toBe("NOT_FOUND");
  await setTriggerStatus(editorIn(workspace), trigger.workflowId, "paused");
  expect(await codeOf(sampleOf(trigger.workflowId))).toBe("BAD_REQUEST");
});
