import { describe, expect, it, test } from "vitest";
import { MAX_CHAT, MAX_TOKEN, startMax } from "#lib/connectors/vendors/max/max.fixture";
import { MAX_INBOX, MAX_TRIGGERS } from "#lib/connectors/vendors/max/triggers";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";

const stage = useConnectorStage("max", startMax);
const connect = () => stage.connect("bot_token", { token: MAX_TOKEN });

describe.each(Object.keys(MAX_TRIGGERS))("%s", (event) => {
  test("starts a workflow once per event when MAX calls the bot's webhook, even if MAX calls twice", async () => {
    const connection = await connect();
    const trigger = await stage.listenTo(connection, event);
    await stage.work();
    expect(await stage.listeningOf(trigger)).toMatchObject({ status: "active", mode: "webhook", error: null });
    const example = MAX_TRIGGERS[event]?.example ?? {};
    expect(await stage.vendor.happens(example)).toBe(200);
    expect(await stage.vendor.happens(example)).toBe(200);
    expect(await stage.outputsOf(trigger)).toEqual([
      {
        event,
        id: event === "new_message" ? "mid.0000000000dbc0c4" : "f9LHodD0cOLW7qZQo5Yp/4711/1790000000000",
        occurred_at: new Date(1_790_000_000_000).toISOString(),
        received_at: expect.stringMatching(/Z$/),
        connector: "max",
        connection_id: connection,
        data: example,
      },
    ]);
    stage.vendor.subscriptions = [];
  });
});

test("a second press of the same button, and a press by another user, are events of their own", async () => {
  const trigger = await stage.listenTo(await connect(), "callback_query");
  await stage.work();
  const example = MAX_TRIGGERS.callback_query?.example ?? {};
  const press = (timestamp: number, user_id: number) => {
    const user = { user_id, first_name: "Ada", is_bot: false };
    const callback = { timestamp, callback_id: "f9LHodD0cOLW7qZQo5Yp", payload: "approve", user };
    return stage.vendor.happens({ ...example, timestamp, callback });
  };
  const first = 1_790_000_000_000;
  for (const [at, user] of [
    [first, 1],
    [first, 1],
    [first + 5, 1],
    [first, 2],
  ] as const) {
    expect(await press(at, user)).toBe(200);
  }
  const outputs = await stage.outputsOf(trigger);
  expect(outputs.map(({ data }) => (data as { callback: { timestamp: number } }).callback.timestamp)).toEqual([
    first,
    first + 5,
    first,
  ]);
  stage.vendor.subscriptions = [];
});

test("a delivery without the subscription's secret starts nothing", async () => {
  const trigger = await stage.listenTo(await connect(), "new_message");
  await stage.work();
  for (const subscription of stage.vendor.subscriptions) subscription.secret = "guessed";
  expect(await stage.vendor.happens(MAX_TRIGGERS.new_message?.example ?? {})).toBe(401);
  expect(await stage.outputsOf(trigger)).toEqual([]);
  stage.vendor.subscriptions = [];
});

test("a changed webhook address leaves no old subscription behind", async () => {
  const service = await stage.serve(await connect());
  const request = { secret: "a".repeat(64), events: ["new_message"], isFirst: false };
  const state = await MAX_INBOX.webhook?.subscribe(service, { ...request, url: "https://old.example", state: null });
  await MAX_INBOX.webhook?.subscribe(service, { ...request, url: "https://new.example", state: state ?? null });
  expect(stage.vendor.subscriptions.map(({ url }) => url)).toEqual(["https://new.example"]);
  await MAX_INBOX.webhook?.unsubscribe(service, {
    ...request,
    url: "https://newest.example",
    state: { url: "https://new.example" },
  });
  expect(stage.vendor.subscriptions).toEqual([]);
});

test("if MAX cannot call a webhook, polling returns each update after the newest one exactly once", async () => {
  const service = await stage.serve(await connect());
  const poll = MAX_INBOX.poll;
  const events = ["new_message"];
  const update = (mid: string) => ({
    ...MAX_TRIGGERS.new_message?.example,
    message: { recipient: { chat_id: 1 }, body: { mid } },
  });
  await stage.vendor.happens(update("old-1"));
  await stage.vendor.happens(update("old-2"));
  const begun = await poll?.list(service, { cursor: null, events });
  expect(begun).toMatchObject({ events: [] });
  await stage.vendor.happens(update("a"));
  await stage.vendor.happens({ ...update("b"), update_type: "message_edited" });
  await stage.vendor.happens(update("c"));
  const read = await poll?.list(service, { cursor: begun?.cursor ?? null, events });
  expect(read?.events.map(({ id }) => id)).toEqual(["a", "c"]);
  const again = await poll?.list(service, { cursor: read?.cursor ?? null, events });
  expect(again?.events).toEqual([]);
  stage.vendor.subscriptions = [{ url: "https://crm.example/hook", update_types: [], time: 1 }];
  await expect(poll?.list(service, { cursor: null, events })).rejects.toThrow("The bot's events go to crm.example");
  stage.vendor.subscriptions = [];
});

describe("operations", () => {
  it("send, answer, edit, read and delete messages", async () => {
    const connection = await connect();
    const buttons = [[{ type: "callback", text: "Yes", payload: "yes" }]];
    const sent = (await stage.perform(connection, "send_message", {
      user_id: 4711,
      text: "Agreed?",
      format: "markdown",
      buttons,
      reply_to: "mid.before",
    })) as { message: { body: { mid: string } } };
    const { mid } = sent.message.body;
    expect(sent.message).toMatchObject({
      recipient: { user_id: 4711 },
      body: { text: "Agreed?", attachments: [{ type: "inline_keyboard", payload: { buttons } }] },
      link: { type: "reply", mid: "mid.before" },
    });
    expect(await stage.perform(connection, "edit_message", { message_id: mid, text: "Done", buttons: [] })).toEqual({
      success: true,
    });
    expect(await stage.perform(connection, "get_message", { message_id: mid })).toMatchObject({
      body: { text: "Done" },
    });
    const listed = await stage.perform(connection, "list_messages", { chat_id: MAX_CHAT, count: 10 });
    expect(listed).toMatchObject({ messages: [{ body: { mid } }] });
    const answered = { callback_id: "cb1", notification: "Thanks", text: "Closed" };
    expect(await stage.perform(connection, "answer_callback", answered)).toEqual({ success: true });
    expect(stage.vendor.answers).toEqual([
      { callbackId: "cb1", body: { notification: "Thanks", message: { text: "Closed" } } },
    ]);
    expect(await stage.perform(connection, "delete_message", { message_id: mid })).toEqual({ success: true });
    await expect(stage.perform(connection, "delete_message", { message_id: mid })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: "MAX rejected the request: No message",
    });
  });

  it("describe the bot, its chats and their members", async () => {
    const connection = await connect();
    const chat = { chat_id: MAX_CHAT };
    expect(await stage.perform(connection, "get_me")).toMatchObject({ username: "signal_bot" });
    expect(await stage.perform(connection, "get_chat", chat)).toMatchObject({ title: "Team" });
    expect(await stage.perform(connection, "list_members", chat)).toMatchObject({ members: [{ user_id: 4711 }] });
    expect(await stage.perform(connection, "pin_message", { ...chat, message_id: "mid.1" })).toEqual({ success: true });
    expect(await stage.perform(connection, "remove_member", { ...chat, user_id: 4711 })).toEqual({ success: true });
  });

  it.each([
    [{ status: 401, json: { code: "verify.token", message: "Invalid access_token" } }, { code: "AUTH_EXPIRED" }],
    [{ status: 403, json: { code: "chat.denied", message: "No access" } }, { code: "VALIDATION_ERROR" }],
    [{ status: 429, json: { code: "too.many.requests", message: "Slow down" } }, { code: "RATE_LIMITED" }],
    [{ status: 503, json: {} }, { code: "UPSTREAM_ERROR" }],
    [
      { status: 400, json: { code: "attachment.not.ready", message: "Not processed" } },
      { code: "UPSTREAM_ERROR", retryAfterMs: 3_000 },
    ],
  ])("map a response of %j to a step error", async (failure, error) => {
    const connection = await connect();
    stage.vendor.failures.push(failure);
    await expect(stage.perform(connection, "get_me")).rejects.toMatchObject(error);
  });

  it("reject a message with no recipient, with two recipients, or without content", async () => {
    const connection = await connect();
    for (const [params, path] of [
      [{ text: "x" }, "chat_id"],
      [{ chat_id: 1, user_id: 2, text: "x" }, "chat_id"],
      [{ chat_id: 1 }, "text"],
    ] as const) {
      await expect(stage.perform(connection, "send_message", params)).rejects.toThrow(path);
    }
  });
});
