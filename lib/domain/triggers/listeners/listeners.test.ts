import { describe, expect, test } from "vitest";
import { BOT_TOKEN, startTelegram } from "#lib/connectors/vendors/telegram/telegram.fixture";
import { deleteConnection } from "#lib/domain/connections/delete-connection";
import { listConnections } from "#lib/domain/connections/list-connections";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { setTriggerStatus } from "#lib/domain/triggers/activation/set-trigger-status";
import { listDeliveries } from "#lib/domain/triggers/deliveries/list-deliveries";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";
import { tendListeners } from "#lib/domain/triggers/listeners/tend-listeners";
import { addTrigger, editorIn, republish, runsOf, type TestTrigger } from "#lib/domain/triggers/trigger.fixture";
import { deleteWorkflow } from "#lib/domain/workflows/delete-workflow";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";

const stage = useConnectorStage("telegram", startTelegram);
const connect = () => stage.connect("bot_token", { token: BOT_TOKEN });
const message = (text: string) => ({ message_id: 1, date: 1_790_000_000, chat: { id: 7, type: "private" }, text });
const pause = (trigger: TestTrigger) => setTriggerStatus(editorIn(stage.workspace), trigger.workflowId, "paused");

describe("a connection that its service calls", () => {
  test("has one subscription with the union of what its workflows want, and each gets its own run", async () => {
    const connection = await connect();
    const first = await stage.listenTo(connection, "new_message");
    const second = await stage.listenTo(connection, "new_message");
    const pressed = await stage.listenTo(connection, "callback_query");
    await stage.work();
    const { webhook } = stage.vendor;
    expect(webhook?.allowed_updates).toEqual(["callback_query", "message", "channel_post"]);
    expect(webhook?.url).toMatch(/\/webhooks\/connectors\/[0-9a-f-]{36}$/);
    await stage.vendor.happens("message", message("hello"));
    expect([await runsOf(first), await runsOf(second), await runsOf(pressed)].map((runs) => runs.length)).toEqual([
      1, 1, 0,
    ]);
    expect((await runsOf(first))[0]).toMatchObject({ source: "webhook", status: "accepted", jobs: 1 });
  });

  test("narrows the subscription when a workflow is paused, ends it after the last, and restores it on resume", async () => {
    const connection = await connect();
    const written = await stage.listenTo(connection, "new_message");
    const pressed = await stage.listenTo(connection, "callback_query");
    await stage.work();
    await pause(pressed);
    await stage.work();
    expect(stage.vendor.webhook?.allowed_updates).toEqual(["message", "channel_post"]);
    await pause(written);
    await stage.work();
    expect(stage.vendor.webhook).toBeNull();
    expect(await stage.listeningOf(written)).toMatchObject({ status: "off" });
    await setTriggerStatus(editorIn(stage.workspace), written.workflowId, "active");
    await stage.work();
    expect(stage.vendor.webhook?.allowed_updates).toEqual(["message", "channel_post"]);
    await republish(stage.workspace, written, { kind: "webhook" });
    await stage.work();
    expect(stage.vendor.webhook).toBeNull();
  });

  test("can be deleted after its last workflow, and the subscription ends", async () => {
    const connection = await connect();
    const trigger = await stage.listenTo(connection, "new_message");
    await stage.work();
    await deleteWorkflow(editorIn(stage.workspace), trigger.workflowId, { archiveAction: false });
    await stage.work();
    expect(stage.vendor.webhook).toBeNull();
    const { workspaceId } = stage.workspace;
    await deleteConnection({ workspaceId, connectionId: connection, actor: TEST_ACTOR });
  });

  test("that is refused shows why at the trigger and the connection, and is retried until the service agrees", async () => {
    const connection = await connect();
    stage.vendor.failures.push({
      status: 502,
      json: { ok: false, error_code: 502, description: "Bad Gateway for a@example.com" },
    });
    const trigger = await stage.listenTo(connection, "new_message");
    await stage.work();
    expect(await stage.listeningOf(trigger)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("Bad Gateway for [REDACTED_EMAIL]"),
    });
    const [shown] = (await listConnections(stage.workspace.workspaceId, { limit: 1 })).data;
    expect(shown?.listeners).toMatchObject([{ status: "failed", error: expect.stringContaining("Bad Gateway") }]);
    await stage.work({ isSoon: true });
    expect(await stage.listeningOf(trigger)).toMatchObject({ status: "active", error: null });
  });
});

describe("a delivery", () => {
  const post = async (body: unknown, secret: string, url = stage.vendor.webhook?.url ?? "") =>
    fetch(url, {
      method: "POST",
      headers: { "x-telegram-bot-api-secret-token": secret },
      body: JSON.stringify(body),
    });

  test("refuses and logs a delivery without the secret, and answers 404 for an unknown listener", async () => {
    const trigger = await stage.listenTo(await connect(), "new_message");
    await stage.work();
    const update = { update_id: 5, message: message("forged") };
    for (const secret of ["", "wrong", "x".repeat(64)]) {
      const answer = await post(update, secret);
      expect([answer.status, await answer.json()]).toEqual([
        401,
        expect.objectContaining({ code: "INVALID_SIGNATURE" }),
      ]);
    }
    const nowhere = stage.vendor.webhook?.url.replace(/[^/]+$/, "00000000-0000-4000-8000-000000000000");
    expect((await post(update, "x", nowhere)).status).toBe(404);
    expect(await runsOf(trigger)).toEqual([]);
    const { data } = await listDeliveries(stage.workspace.workspaceId, trigger.workflowId, { limit: 10 });
    expect(data.map(({ verdict }) => verdict)).toEqual(Array(3).fill("invalid_signature"));
  });

  test("creates no second run for a repeated delivery, even at the same moment", async () => {
    const trigger = await stage.listenTo(await connect(), "new_message");
    await stage.work();
    const update = { update_id: 77, message: message("once") };
    const secret = stage.vendor.webhook?.secret_token ?? "";
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(update, secret)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await runsOf(trigger)).toHaveLength(1);
  });

  test("accepts a delivery that contains no update and starts nothing", async () => {
    const trigger = await stage.listenTo(await connect(), "new_message");
    await stage.work();
    const secret = stage.vendor.webhook?.secret_token ?? "";
    for (const body of [null, [], 7, { update_id: "x" }, { update_id: 1, message: "text" }]) {
      expect((await post(body, secret)).status).toBe(200);
    }
    expect(await runsOf(trigger)).toEqual([]);
  });
});

test("an event needs a connection of the workspace and of its connector, and must exist", async () => {
  const [own, foreign] = [await connect(), await addWorkspace()];
  const activate = (workspace: typeof foreign, more: object) =>
    addTrigger(workspace, {
      kind: "connector",
      connector: "telegram",
      event: "new_message",
      connection_id: own,
      ...more,
    });
  const refused = { code: "PUBLISH_VALIDATION_FAILED" };
  await expect(activate(foreign, {})).rejects.toMatchObject(refused);
  await expect(activate(stage.workspace, { event: "constructor" })).rejects.toMatchObject(refused);
  await expect(activate(stage.workspace, { connection_id: undefined })).rejects.toMatchObject(refused);
  await expect(activate(stage.workspace, { connector: "hubspot", event: "new_contact" })).rejects.toMatchObject(
    refused,
  );
});

test("however many workers check, the service is called once", async () => {
  await stage.listenTo(await connect(), "new_message");
  await Promise.all(Array.from({ length: 8 }, () => tendListeners(outgoingSend())));
  expect(stage.vendor.requests.filter(({ path }) => path.endsWith("/setWebhook"))).toHaveLength(1);
});

test("a change requested during a worker's call is not lost", async () => {
  const connection = await connect();
  await stage.listenTo(connection, "new_message");
  const working = stage.work();
  await stage.listenTo(connection, "callback_query");
  await working;
  await db().query("update connector_listeners set claimed_until = null where claim is null");
  await stage.work();
  expect(stage.vendor.webhook?.allowed_updates).toEqual(["callback_query", "message", "channel_post"]);
});
