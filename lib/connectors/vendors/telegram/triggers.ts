import { z } from "zod";
import type {
  ConnectorEvent,
  InboxDefinition,
  InboxDelivery,
  TriggerDefinition,
} from "#lib/connectors/sdk/define-trigger";
import { isSameText } from "#lib/connectors/sdk/same-text";
import { callTelegram } from "#lib/connectors/vendors/telegram/call-telegram";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject } from "#lib/support/json";
import { parseBoundedJson } from "#lib/support/scan-json";

const chat = z.looseObject({ id: z.number(), type: z.string().describe("private, group, supergroup or channel") });
const user = z.looseObject({ id: z.number(), first_name: z.string() });
const message = z.looseObject({
  message_id: z.number(),
  date: z.number().describe("Epoch seconds."),
  chat,
  from: user.optional(),
  text: z.string().optional(),
  message_thread_id: z.number().optional().describe("The topic that the message belongs to."),
  media_group_id: z.string().optional().describe("The same for all messages of one album. Each message starts a run."),
  reply_to_message: z
    .looseObject({ message_id: z.number() })
    .optional()
    .describe("The message that this one replies to."),
});
const ADA = { id: 4711, is_bot: false, first_name: "Ada", username: "ada" };
const PRIVATE_CHAT = { id: 4711, type: "private", first_name: "Ada", username: "ada" };

/** Maps our trigger identifiers to the fields of Telegram's Update. */
const UPDATE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  new_message: ["message", "channel_post"],
  callback_query: ["callback_query"],
  chat_join_request: ["chat_join_request"],
  bot_event: ["my_chat_member"],
};

export const TELEGRAM_TRIGGERS: Readonly<Record<string, TriggerDefinition>> = {
  new_message: {
    title: "New message",
    description:
      "A user sends a message to the bot or to a group the bot can read, or a post appears in a channel where the bot is an administrator.",
    docs: "https://core.telegram.org/bots/api#message",
    data: message,
    example: { message_id: 7, date: 1_790_000_000, chat: PRIVATE_CHAT, from: ADA, text: "Hello" },
  },
  callback_query: {
    title: "Button pressed",
    description: "A user presses a button below a message of the bot. Respond with answer_callback_query.",
    docs: "https://core.telegram.org/bots/api#callbackquery",
    data: z.looseObject({ id: z.string(), from: user, data: z.string().optional(), message: message.optional() }),
    example: {
      id: "900",
      from: ADA,
      data: "approve",
      message: { message_id: 7, date: 1_790_000_000, chat: PRIVATE_CHAT },
    },
  },
  chat_join_request: {
    title: "Join request",
    description: "A user asks to join a chat where the bot is an administrator with permission to invite users.",
    docs: "https://core.telegram.org/bots/api#chatjoinrequest",
    data: z.looseObject({ chat, from: user, date: z.number(), user_chat_id: z.number() }),
    example: {
      chat: { id: -100_123, type: "supergroup", title: "Team" },
      from: ADA,
      date: 1_790_000_000,
      user_chat_id: 4711,
    },
  },
  bot_event: {
    title: "Bot added, removed or blocked",
    description: "The bot's status in a chat changes: it is added, made an administrator, removed or blocked.",
    docs: "https://core.telegram.org/bots/api#chatmemberupdated",
    data: z.looseObject({
      chat,
      from: user,
      date: z.number(),
      old_chat_member: z.looseObject({ status: z.string() }),
      new_chat_member: z.looseObject({ status: z.string() }),
    }),
    example: {
      chat: PRIVATE_CHAT,
      from: ADA,
      date: 1_790_000_000,
      old_chat_member: { status: "member" },
      new_chat_member: { status: "kicked" },
    },
  },
};

const SECRET_HEADER = "x-telegram-bot-api-secret-token";
const UPDATES_AT_ONCE = 100;

/** A bot has one webhook or one getUpdates reader, however many workflows use it. */
export const TELEGRAM_INBOX: InboxDefinition = {
  webhook: {
    // https://core.telegram.org/bots/api#setwebhook
    subscribe: async (service, { url, secret, events, isFirst }) => {
      await callTelegram(service, "setWebhook", {
        url,
        secret_token: secret,
        allowed_updates: allowedUpdates(events),
        // Telegram keeps updates for a day. Those from before the activation start nothing.
        ...(isFirst ? { drop_pending_updates: true } : {}),
      });
      return null;
    },
    unsubscribe: async (service) => {
      await callTelegram(service, "deleteWebhook");
    },
    receive: ({ headers, body, onLongNumber }, { secret }) => {
      if (!isSameText(headers.get(SECRET_HEADER) ?? "", secret)) {
        return { isGenuine: false, reason: `${SECRET_HEADER} is missing or wrong` };
      }
      return { isGenuine: true, events: eventsOf(parseUpdate(body, onLongNumber)) };
    },
  },
  poll: {
    // A user is waiting for the bot's reply.
    everySeconds: 2,
    list: async (service, { cursor, events }) => {
      if (cursor === null) return { events: [], cursor: { offset: await skipOld(service) } };
      const updates = await getUpdates(service, {
        offset: cursor.offset,
        limit: UPDATES_AT_ONCE,
        timeout: 0,
        allowed_updates: allowedUpdates(events),
      });
      const last = updates.at(-1)?.update_id;
      return {
        events: updates.flatMap(eventsOf),
        cursor: { offset: last === undefined ? cursor.offset : last + 1 },
        isMore: updates.length === UPDATES_AT_ONCE,
      };
    },
  },
};

type Update = JsonObject & { update_id: number };

/**
 * https://core.telegram.org/bots/api#getupdates: a bot with a webhook has no updates; offset -1 returns only the newest
 * one.
 */
async function skipOld(service: Parameters<typeof callTelegram>[0]): Promise<number> {
  await callTelegram(service, "deleteWebhook");
  const [newest] = await getUpdates(service, { offset: -1, limit: 1, timeout: 0 });
  return newest === undefined ? 0 : newest.update_id + 1;
}

async function getUpdates(service: Parameters<typeof callTelegram>[0], params: object): Promise<Update[]> {
  const result = await callTelegram(service, "getUpdates", params);
  const parsed = z.array(z.looseObject({ update_id: z.number() })).safeParse(result);
  if (!parsed.success)
    throw new StepError("answer_unreadable", "The response can't be read: getUpdates did not return a list of updates");
  return parsed.data;
}

function allowedUpdates(events: readonly string[]): string[] {
  return events.flatMap((event) => UPDATE_FIELDS[event] ?? []);
}

function parseUpdate(body: Buffer, onLongNumber: InboxDelivery["onLongNumber"]): Update {
  try {
    const value: unknown = parseBoundedJson(body.toString("utf8"), onLongNumber);
    if (isJsonObject(value) && typeof value.update_id === "number") return { ...value, update_id: value.update_id };
  } catch {
    // Telegram sends only updates. A body that carries the secret but is not an update contains no event.
  }
  return { update_id: 0 };
}

function eventsOf(update: Update): ConnectorEvent[] {
  return Object.entries(UPDATE_FIELDS).flatMap(([event, fields]) =>
    fields.flatMap((field) => {
      const data = update[field];
      if (!isJsonObject(data)) return [];
      const occurredAt = typeof data.date === "number" ? new Date(data.date * 1_000) : null;
      return [{ event, id: String(update.update_id), occurredAt, data }];
    }),
  );
}
