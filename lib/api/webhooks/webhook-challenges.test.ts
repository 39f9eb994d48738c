import { createHmac } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { request } from "#lib/api/webhooks/webhook.fixture";
import { LIMITS } from "#lib/contract/limits";
import { setTriggerStatus } from "#lib/domain/triggers/activation/set-trigger-status";
import { startEventTest } from "#lib/domain/triggers/tests/start-event-test";
import { addTrigger, editorIn, runsOf, type TestTrigger } from "#lib/domain/triggers/trigger.fixture";
import { sendAs } from "#lib/domain/triggers/verification/send-as.fixture";
import { SENDER_SAMPLES } from "#lib/domain/triggers/verification/sender-samples.fixture";
import { webhookUrl } from "#lib/domain/workflows/webhook-url";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

process.env.RUNS_PER_USER_PER_HOUR = "0";
const workspace = await addWorkspace();
afterAll(() => {
  delete process.env.RUNS_PER_USER_PER_HOUR;
});

type Sender = keyof typeof SENDER_SAMPLES;
const FORM = "application/x-www-form-urlencoded";

const add = (scheme: Sender) =>
  addTrigger(workspace, { kind: "webhook", scheme, secret: SENDER_SAMPLES[scheme].secret });
const pathOf = ({ subscriptionId }: TestTrigger) => `/webhooks/${subscriptionId}`;

/** Sends a body as the service signs it. */
async function sendSigned(scheme: Sender, trigger: TestTrigger, body: string) {
  const at = Math.floor(Date.now() / 1_000);
  const { url, ...sent } = await sendAs(scheme, webhookUrl(trigger.subscriptionId), { at, body });
  return request("POST", url, sent);
}

test("the verify token of Meta is the last part of the address, and the challenge is text that no browser runs", async () => {
  const trigger = await add("meta");
  const query = (token: string, challenge = "<script>1</script>") =>
    `?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=${encodeURIComponent(challenge)}`;
  const answer = await request("GET", pathOf(trigger) + query(trigger.subscriptionId));
  expect([answer.status, answer.text]).toEqual([200, "<script>1</script>"]);
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  for (const search of [query("wrong"), query(""), "?hub.challenge=1", ""]) {
    const refused = await request("GET", pathOf(trigger) + search);
    expect([refused.status, refused.headers.get("allow"), JSON.parse(refused.text).code], search).toEqual([
      405,
      "POST",
      "METHOD_NOT_ALLOWED",
    ]);
  }
});

test.each(["trello", "intercom", "mandrill", "mailchimp"] as const)(
  "%s gets an empty 200 when it checks the address with HEAD",
  async (scheme) => {
    const trigger = await add(scheme);
    const answer = await request("HEAD", pathOf(trigger));
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect(await runsOf(trigger)).toEqual([]);
  },
);

test("Mailchimp gets 200 when it checks the address with GET", async () => {
  expect((await request("GET", pathOf(await add("mailchimp")))).status).toBe(200);
});

test("other senders, paused triggers and unknown addresses answer GET and HEAD with 405", async () => {
  const [paused, github] = [await add("trello"), await add("github")];
  await setTriggerStatus(editorIn(workspace), paused.workflowId, "paused");
  for (const path of [
    pathOf(github),
    pathOf(paused),
    "/webhooks/01890000-0000-7000-8000-000000000000",
    "/webhooks/x",
  ]) {
    for (const method of ["GET", "HEAD"]) expect((await request(method, path)).status, path).toBe(405);
  }
});

test("WooCommerce gets 200 for the form with which it tries an address, which starts no run", async () => {
  const trigger = await add("woocommerce");
  const sent = { headers: { "content-type": FORM }, body: "webhook_id=7" };
  expect(await request("POST", pathOf(trigger), sent)).toMatchObject({ status: 200, text: "" });
  expect(await runsOf(trigger)).toEqual([]);
});

test("monday.com gets its challenge back as JSON", async () => {
  const trigger = await add("monday");
  const answer = await request("POST", pathOf(trigger), {
    body: '{"challenge":"<b>3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P</b>"}',
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(JSON.parse(answer.text)).toEqual({ challenge: "<b>3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P</b>" });
  expect(await runsOf(trigger)).toEqual([]);
});

describe("a challenge that the sender signs", () => {
  const ZOOM = '{"event":"endpoint.url_validation","payload":{"plainToken":"qgg8vlvZRS6UYooatFL8Aw"}}';
  const SLACK = '{"type":"url_verification","challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}';

  test("is answered for Zoom with the HMAC of its token, and for Slack as plain text", async () => {
    const [zoom, slack] = [await add("zoom"), await add("slack")];
    const encryptedToken = createHmac("sha256", SENDER_SAMPLES.zoom.secret)
      .update("qgg8vlvZRS6UYooatFL8Aw")
      .digest("hex");
    const answer = await sendSigned("zoom", zoom, ZOOM);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      { plainToken: "qgg8vlvZRS6UYooatFL8Aw", encryptedToken },
    ]);
    const text = await sendSigned("slack", slack, SLACK);
    expect([text.status, text.text]).toEqual([200, JSON.parse(SLACK).challenge]);
    expect(text.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect([...(await runsOf(zoom)), ...(await runsOf(slack))]).toEqual([]);
  });

  test("is refused unsigned, so no one gets the HMAC of a text of their choice", async () => {
    for (const [scheme, body] of [
      ["zoom", ZOOM],
      ["slack", SLACK],
      ["discord", '{"type":0}'],
    ] as const) {
      const answer = await request("POST", pathOf(await add(scheme)), { body });
      expect([answer.status, JSON.parse(answer.text).code], scheme).toEqual([401, "INVALID_SIGNATURE"]);
    }
  });

  test("is answered for both kinds of Discord's pings, and an event of the same type starts a run", async () => {
    const trigger = await add("discord");
    const event = await sendSigned("discord", trigger, '{"version":1,"application_id":"1","type":0}');
    expect([event.status, event.text]).toEqual([204, ""]);
    const interaction = await sendSigned("discord", trigger, '{"id":"1","token":"t","type":1,"version":1}');
    expect([interaction.status, JSON.parse(interaction.text)]).toEqual([200, { type: 1 }]);
    expect(await runsOf(trigger)).toEqual([]);
    expect((await sendSigned("discord", trigger, SENDER_SAMPLES.discord.body)).status).toBe(202);
    expect(await runsOf(trigger)).toHaveLength(1);
  });
});

test("a large body is an event, not a challenge", async () => {
  const trigger = await add("monday");
  const body = JSON.stringify({ challenge: "x".repeat(LIMITS.challengeBytes) });
  expect((await request("POST", pathOf(trigger), { body })).status).toBe(401);
});

test("a sender can check the test address while someone listens, and the canvas keeps waiting", async () => {
  const trigger = await add("meta");
  const test = await startEventTest(workspace.workspaceId, trigger.workflowId);
  const { pathname } = new URL(test.url);
  const token = pathname.split("/").at(-1);
  const search = `?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=42`;
  expect(await request("GET", pathname + search)).toMatchObject({ status: 200, text: "42" });
  expect((await request("GET", pathname)).status).toBe(405);
  expect((await request("GET", `/webhooks/test/01890000-0000-7000-8000-000000000000${search}`)).status).toBe(405);
});
