import { describe, expect, test } from "vitest";
import { BOT_TOKEN, startTelegram } from "#lib/connectors/telegram/telegram.fixture";
import { TELEGRAM_TRIGGERS } from "#lib/connectors/telegram/triggers";
import { useConnectorStage } from "#lib/triggers/connector-stage.fixture";

const stage = useConnectorStage("telegram", startTelegram);
const connect = () => stage.connect("bot_token", { token: BOT_TOKEN });

/** By our identifiers: the field of Telegram's Update. */
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
