import { createHmac } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { request } from "#lib/api/webhooks/webhook.fixture";
import type { ApiError } from "#lib/contract/error/api-error";
import { getTrigger } from "#lib/domain/triggers/activation/get-trigger";
import { setTriggerStatus } from "#lib/domain/triggers/activation/set-trigger-status";
import { findSubscription } from "#lib/domain/triggers/subscription";
import { startEventTest } from "#lib/domain/triggers/tests/start-event-test";
import { addTrigger, editorIn, republish, runsOf, type TestTrigger } from "#lib/domain/triggers/trigger.fixture";
import { getHandshakeToken } from "#lib/domain/triggers/webhooks/get-handshake-token";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

process.env.RUNS_PER_USER_PER_HOUR = "0";
const workspace = await addWorkspace();
afterAll(() => {
  delete process.env.RUNS_PER_USER_PER_HOUR;
});

const asana = () => addTrigger(workspace, { kind: "webhook", scheme: "asana" });
const notion = () => addTrigger(workspace, { kind: "webhook", scheme: "notion" });
const hex = (secret: string, body: string) => createHmac("sha256", secret).update(body).digest("hex");

const shake = ({ subscriptionId }: TestTrigger, secret: string) =>
  request("POST", `/webhooks/${subscriptionId}`, { headers: { "x-hook-secret": secret }, body: "" });
const sendAsana = ({ subscriptionId }: TestTrigger, secret: string, body: string) =>
  request("POST", `/webhooks/${subscriptionId}`, { headers: { "x-hook-signature": hex(secret, body) }, body });
const sendNotion = ({ subscriptionId }: TestTrigger, secret: string, body: string) =>
  request("POST", `/webhooks/${subscriptionId}`, {
    headers: { "x-notion-signature": `sha256=${hex(secret, body)}` },
    body,
  });
const eventOf = (gid: string) => JSON.stringify({ events: [{ action: "changed", resource: { gid } }] });

describe("Asana, which brings its secret in a header", () => {
  test("gets its secret back, and its events are verified with it", async () => {
    const trigger = await asana();
    expect((await sendAsana(trigger, "", eventOf("1"))).status).toBe(401);
    const answer = await shake(trigger, "b537207f20cbfa02357cf448134da559");
    expect([answer.status, answer.headers.get("x-hook-secret"), answer.text]).toEqual([
      200,
      "b537207f20cbfa02357cf448134da559",
      "",
    ]);
    expect((await sendAsana(trigger, "b537207f20cbfa02357cf448134da559", eventOf("1"))).status).toBe(202);
    expect((await sendAsana(trigger, "another", eventOf("2"))).status).toBe(401);
    expect(await runsOf(trigger)).toHaveLength(1);
  });

  test("is the only one that can: a second handshake is refused, and changes nothing", async () => {
    const trigger = await asana();
    await shake(trigger, "genuine");
    const forged = await shake(trigger, "forged");
    expect([forged.status, forged.headers.get("x-hook-secret")]).toEqual([401, null]);
    expect((await shake(trigger, "genuine")).status).toBe(401);
    expect((await sendAsana(trigger, "forged", eventOf("1"))).status).toBe(401);
    expect((await sendAsana(trigger, "genuine", eventOf("1"))).status).toBe(202);
  });

  test("wins once if ten handshakes arrive at the same time", async () => {
    const trigger = await asana();
    const secrets = Array.from({ length: 10 }, (_, index) => `secret-${index}`);
    const answers = await Promise.all(secrets.map((secret) => shake(trigger, secret)));
    const won = secrets.filter((_, index) => answers[index]?.status === 200);
    expect(won).toHaveLength(1);
    expect((await findSubscription(trigger.subscriptionId, "webhook"))?.secret).toBe(won[0]);
    expect((await sendAsana(trigger, won[0] ?? "", eventOf("1"))).status).toBe(202);
  });

  test("keeps its secret when the workflow is published again, and brings another one after a pause", async () => {
    const trigger = await asana();
    await shake(trigger, "first");
    await republish(workspace, trigger, { kind: "webhook", scheme: "asana", tolerance_seconds: 60 });
    expect((await sendAsana(trigger, "first", eventOf("1"))).status).toBe(202);
    await setTriggerStatus(editorIn(workspace), trigger.workflowId, "paused");
    await setTriggerStatus(editorIn(workspace), trigger.workflowId, "active");
    expect((await sendAsana(trigger, "first", eventOf("2"))).status).toBe(401);
    expect((await shake(trigger, "second")).status).toBe(200);
    expect((await sendAsana(trigger, "first", eventOf("3"))).status).toBe(401);
    expect((await sendAsana(trigger, "second", eventOf("3"))).status).toBe(202);
  });

  test("is refused with a secret of another kind of request, or one that is too long", async () => {
    const trigger = await asana();
    const get = await request("GET", `/webhooks/${trigger.subscriptionId}`, { headers: { "x-hook-secret": "s" } });
    expect(get.status).toBe(405);
    expect((await shake(trigger, "x".repeat(501))).status).toBe(401);
    expect((await findSubscription(trigger.subscriptionId, "webhook"))?.secret).toBeNull();
  });

  test("does not leave the secret readable in the database", async () => {
    const trigger = await asana();
    await shake(trigger, "very-secret-text");
    await sendAsana(trigger, "very-secret-text", eventOf("1"));
    const { rows } = await db().query(
      `select to_jsonb(s)::text || coalesce((select string_agg(to_jsonb(d)::text, '') from trigger_deliveries d
         where d.subscription_id = s.id), '') as stored from trigger_subscriptions s where s.id = $1`,
      [trigger.subscriptionId],
    );
    expect(rows[0].stored).not.toContain("very-secret-text");
  });

  test("gets its secret back from the test address, which keeps none", async () => {
    const trigger = await asana();
    const { url } = await startEventTest(workspace.workspaceId, trigger.workflowId);
    const { pathname } = new URL(url);
    const answer = await request("POST", pathname, { headers: { "x-hook-secret": "s" }, body: "" });
    expect([answer.status, answer.headers.get("x-hook-secret")]).toEqual([200, "s"]);
    expect((await request("POST", pathname, { body: eventOf("1") })).status).toBe(202);
    expect((await findSubscription(trigger.subscriptionId, "webhook"))?.secret).toBeNull();
  });
});

test("a trigger with a secret of its own takes no other from a request", async () => {
  const trigger = await addTrigger(workspace, { kind: "webhook", scheme: "asana", secret: "own" });
  expect((await shake(trigger, "other")).status).toBe(401);
  expect((await sendAsana(trigger, "own", eventOf("1"))).status).toBe(202);
});

test("other senders cannot bring a secret", async () => {
  const trigger = await addTrigger(workspace, { kind: "webhook", scheme: "github" });
  await shake(trigger, "s");
  const subscription = await findSubscription(trigger.subscriptionId, "webhook");
  expect([subscription?.secret, subscription?.config.is_signed]).toEqual([null, false]);
});

describe("Notion, which brings a token that a person enters there", () => {
  const TOKEN = "secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl";

  test("has its events verified with the token, which editors of the workspace can read", async () => {
    const trigger = await notion();
    expect(await getHandshakeToken(workspace.workspaceId, trigger.workflowId)).toBeNull();
    const path = `/webhooks/${trigger.subscriptionId}`;
    const answer = await request("POST", path, { body: JSON.stringify({ verification_token: TOKEN }) });
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect(await getHandshakeToken(workspace.workspaceId, trigger.workflowId)).toBe(TOKEN);
    const forged = await request("POST", path, { body: JSON.stringify({ verification_token: "secret_forged" }) });
    expect(forged.status).toBe(401);
    expect(await getHandshakeToken(workspace.workspaceId, trigger.workflowId)).toBe(TOKEN);
    const event = { id: "evt-1", type: "page.created", attempt_number: 1 };
    expect((await sendNotion(trigger, TOKEN, JSON.stringify(event))).status).toBe(202);
    expect((await sendNotion(trigger, TOKEN, JSON.stringify({ ...event, attempt_number: 2 }))).status).toBe(200);
    expect(await runsOf(trigger)).toHaveLength(1);
  });

  test("is not shown to another workspace, and no other secret is shown", async () => {
    const trigger = await notion();
    await request("POST", `/webhooks/${trigger.subscriptionId}`, {
      body: JSON.stringify({ verification_token: TOKEN }),
    });
    const other = await addWorkspace();
    const code = await getHandshakeToken(other.workspaceId, trigger.workflowId).catch((error: ApiError) => error.code);
    expect(code).toBe("NOT_FOUND");
    const shaken = await asana();
    await shake(shaken, "s");
    expect(await getHandshakeToken(workspace.workspaceId, shaken.workflowId)).toBeNull();
    const signed = await addTrigger(workspace, { kind: "webhook", scheme: "notion", secret: "own" });
    expect(await getHandshakeToken(workspace.workspaceId, signed.workflowId)).toBeNull();
    expect(JSON.stringify(await getTrigger(workspace.workspaceId, trigger.workflowId))).not.toContain(TOKEN);
  });
});
