import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { callAs } from "#lib/connectors/sdk/call-as.fixture";
import { BOT_TOKEN, startTelegram } from "#lib/connectors/vendors/telegram/telegram.fixture";
import { TELEGRAM_TRIGGERS } from "#lib/connectors/vendors/telegram/triggers";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";

const stage = useConnectorStage("telegram", startTelegram);
const connect = () => stage.connect("bot_token", { token: BOT_TOKEN }, `Bot ${randomUUID()}`);

/** Maps our trigger identifiers to the field of Telegram's Update. */
const FIELDS = {
  new_message: "message",
  callback_query: "callback_query",
  chat_join_request: "chat_join_request",
  bot_event: "my_chat_member",
};

describe.each(Object.entries(FIELDS))("%s", (event, field) => {
  test("starts a workflow when Telegram calls the bot's webhook", async () => {
    const connection = await connect();
    const trigger = await stage.listenTo(connection, event);
    expect(await stage.listeningOf(trigger)).toMatchObject({ status: "pending", mode: null });
    await stage.work();
    expect(await stage.listeningOf(trigger)).toMatchObject({ status: "active", mode: "webhook", error: null });
    const example = TELEGRAM_TRIGGERS[event]?.example ?? {};
    expect(await stage.vendor.happens(field, example)).toBe(200);
    expect(await stage.outputsOf(trigger)).toEqual([
      {
        event,
        id: expect.stringMatching(/^\d+$/),
        occurred_at: event === "callback_query" ? null : new Date(1_790_000_000_000).toISOString(),
        received_at: expect.stringMatching(/Z$/),
        connector: "telegram",
        connection_id: connection,
        data: example,
      },
    ]);
  });
});

describe("an operation", () => {
  const call = async (operation: string, params: object) =>
    callAs(stage.workspace.workspaceId, await connect(), "telegram", operation, params);

  test("sends what the Bot API documents and omits empty params", async () => {
    stage.vendor.sent.length = 0;
    const markup = { inline_keyboard: [[{ text: "Yes", callback_data: "yes" }]] };
    const params = { chat_id: 7, text: "Hello", parse_mode: null, reply_markup: markup };
    expect(await call("send_message", params)).toMatchObject({ message_id: 1, text: "Hello" });
    expect(stage.vendor.sent).toEqual([{ chat_id: 7, text: "Hello", reply_markup: markup }]);
    expect(await call("answer_callback_query", { callback_query_id: "900" })).toEqual({ ok: true });
    expect(await call("get_me", {})).toMatchObject({ username: "signal_bot" });
  });

  test("fails with Telegram's message on a rejection, a rate limit or a revoked token, and never reveals the token", async () => {
    const chat = call("send_message", { chat_id: 404, text: "x" });
    await expect(chat).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("chat not found"),
    });
    const nameless = call("send_message", { chat_id: 7 });
    await expect(nameless).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringMatching(/^text: /),
    });
    const connection = await connect();
    const again = () => callAs(stage.workspace.workspaceId, connection, "telegram", "get_me", {});
    stage.vendor.failures.push({
      status: 429,
      json: { ok: false, error_code: 429, description: "Too Many Requests", parameters: { retry_after: 7 } },
    });
    await expect(again()).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterMs: 7_000 });
    stage.vendor.token = "another";
    const ended = await again().catch((error: Error) => error);
    stage.vendor.token = BOT_TOKEN;
    expect(ended).toMatchObject({ code: "AUTH_EXPIRED" });
    expect(JSON.stringify([ended, String(ended)])).not.toContain("canary");
  });
});
