import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { callAs } from "#lib/connectors/sdk/call-as.fixture";
import { BOT_TOKEN, startTelegram } from "#lib/connectors/vendors/telegram/telegram.fixture";
import { TELEGRAM_TRIGGERS } from "#lib/connectors/vendors/telegram/triggers";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { setTriggerStatus } from "#lib/domain/triggers/activation/set-trigger-status";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";
import { runsOf, type TestTrigger } from "#lib/domain/triggers/trigger.fixture";

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

test("an id beyond 2^53 starts a run with its digits as a text, and with a note of where", async () => {
  const trigger = await stage.listenTo(await connect(), "new_message");
  await stage.work();
  const message = { message_id: 1, date: 1_790_000_000, chat: { id: -(2 ** 53) - 2, type: "private" }, text: "Hello" };
  expect(await stage.vendor.happens("message", message)).toBe(200);
  expect((await runsOf(trigger)).map(({ input }) => input)).toEqual([
    {
      numbers_as_text: ["trigger.output.data.chat.id"],
      output: expect.objectContaining({ data: { ...message, chat: { id: "-9007199254740994", type: "private" } } }),
    },
  ]);
});

describe("a bot's messages", () => {
  const message = (text: string) => ({ message_id: 1, date: 1_790_000_000, chat: { id: 7, type: "private" }, text });
  const textsOf = async (trigger: TestTrigger) =>
    (await stage.outputsOf(trigger)).map(({ data }) => (data as { text: string }).text);
  const resume = (trigger: TestTrigger, status: "active" | "paused") => {
    const { workspaceId, userId } = stage.workspace;
    return setTriggerStatus({ workspaceId, userId, actor: TEST_ACTOR }, trigger.workflowId, status);
  };

  test("from before the first activation start nothing, also if the first attempt to subscribe fails", async () => {
    stage.vendor.webhook = null;
    await stage.vendor.happens("message", message("before"));
    const trigger = await stage.listenTo(await connect(), "new_message");
    stage.vendor.failures.push({ status: 502, json: { ok: false, error_code: 502, description: "Bad Gateway" } });
    await stage.work();
    await stage.work({ isSoon: true });
    await stage.vendor.deliverPending();
    await stage.vendor.happens("message", message("after"));
    expect(await textsOf(trigger)).toEqual(["after"]);
  });

  test("from a pause arrive after it, and those from before a new workflow do not", async () => {
    const connection = await connect();
    const first = await stage.listenTo(connection, "new_message");
    await stage.work();
    await resume(first, "paused");
    await stage.work();
    await stage.vendor.happens("message", message("during the pause"));
    await resume(first, "active");
    await stage.work();
    await stage.vendor.deliverPending();
    expect(await textsOf(first)).toEqual(["during the pause"]);
    await resume(first, "paused");
    await stage.work();
    await stage.vendor.happens("message", message("before the second workflow"));
    const second = await stage.listenTo(connection, "new_message");
    await stage.work();
    await stage.vendor.deliverPending();
    expect(await textsOf(second)).toEqual([]);
  });

  test("are not dropped when another workflow joins an active connection", async () => {
    const connection = await connect();
    await stage.listenTo(connection, "new_message");
    await stage.work();
    await stage.listenTo(connection, "callback_query");
    await stage.work();
    const subscribed = stage.vendor.requests.filter(({ path }) => path.endsWith("/setWebhook"));
    expect(subscribed.map(({ json }) => json.drop_pending_updates)).toEqual([true, undefined]);
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

  test("replies to a message, writes into a topic, and sends an album", async () => {
    stage.vendor.sent.length = 0;
    await call("send_message", { chat_id: 7, text: "Yes", reply_to_message_id: "41", message_thread_id: 3 });
    const media = [
      { type: "photo", media: "https://example.com/1.png", caption: "Both" },
      { type: "video", media: "AgACAgIAAx0" },
    ];
    const album = await call("send_media_group", { chat_id: 7, media, message_thread_id: 3 });
    expect(album).toMatchObject({ messages: [{ message_id: 0 }, { message_id: 1 }] });
    expect(stage.vendor.sent).toEqual([
      { chat_id: 7, text: "Yes", message_thread_id: 3, reply_parameters: { message_id: 41 } },
      { chat_id: 7, media, message_thread_id: 3 },
    ]);
    await expect(call("send_media_group", { chat_id: 7, media: media.slice(1) })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
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
