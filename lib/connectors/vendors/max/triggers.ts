import { z } from "zod";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type {
  ConnectorEvent,
  InboxDefinition,
  InboxDelivery,
  Polled,
  TriggerDefinition,
} from "#lib/connectors/sdk/define-trigger";
import { isSameText } from "#lib/connectors/sdk/same-text";
import { callMax, readBotAnswer } from "#lib/connectors/vendors/max/call-max";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject } from "#lib/support/json";
import { parseBoundedJson } from "#lib/support/scan-json";

const user = z.looseObject({ user_id: z.number(), first_name: z.string(), is_bot: z.boolean() });
const message = z.looseObject({
  sender: user.optional(),
  recipient: z.looseObject({
    chat_id: z.number().nullable(),
    chat_type: z.string().describe("dialog, chat or channel"),
    user_id: z.number().nullish(),
  }),
  timestamp: z.number().describe("Epoch milliseconds."),
  body: z
    .looseObject({
      mid: z.string().describe("The message id. Use it to reply to, edit or delete the message."),
      text: z.string().nullish(),
      attachments: z.array(z.looseObject({ type: z.string() })).nullish(),
    })
    .nullable(),
});

const ADA = { user_id: 4711, first_name: "Ada", last_name: null, username: "ada", is_bot: false };
const MESSAGE = {
  sender: ADA,
  recipient: { chat_id: 900_100, chat_type: "dialog", user_id: 12345 },
  timestamp: 1_790_000_000_000,
  body: { mid: "mid.0000000000dbc0c4", seq: 116_000, text: "Hello", attachments: null },
};

/** Maps our trigger identifiers to MAX's update types. */
const UPDATE_TYPES: Readonly<Record<string, string>> = {
  new_message: "message_created",
  callback_query: "message_callback",
};

export const MAX_TRIGGERS: Readonly<Record<string, TriggerDefinition>> = {
  new_message: {
    title: "New message",
    description:
      "A user sends a message to the bot, or a message appears in a group or channel where the bot is an administrator.",
    docs: "https://dev.max.ru/docs-api/objects/Update",
    data: z.looseObject({ timestamp: z.number(), message, user_locale: z.string().nullish() }),
    example: { update_type: "message_created", timestamp: 1_790_000_000_000, message: MESSAGE, user_locale: "ru" },
  },
  callback_query: {
    title: "Button pressed",
    description: "A user presses a button below a message of the bot. Respond with answer_callback.",
    docs: "https://dev.max.ru/docs-api/objects/Update",
    data: z.looseObject({
      timestamp: z.number(),
      callback: z.looseObject({
        timestamp: z.number(),
        callback_id: z.string(),
        payload: z.string().optional(),
        user,
      }),
      message: message.nullish(),
    }),
    example: {
      update_type: "message_callback",
      timestamp: 1_790_000_000_000,
      callback: { timestamp: 1_790_000_000_000, callback_id: "f9LHodD0cOLW7qZQo5Yp", payload: "approve", user: ADA },
      message: MESSAGE,
    },
  },
};

const SECRET_HEADER = "x-max-bot-api-secret";
const UPDATES_AT_ONCE = 100;

/** A bot has one subscription or one reader of updates, however many workflows use it. */
export const MAX_INBOX: InboxDefinition = {
  webhook: {
    // https://dev.max.ru/docs-api/methods/POST/subscriptions: one subscription per address; subscribing the same
    // address again replaces it.
    subscribe: async (service, { url, secret, events, state }) => {
      const before = state?.url;
      if (typeof before === "string" && before !== url) await unsubscribe(service, before);
      await callMax(service, {
        method: "POST",
        path: "/subscriptions",
        json: { url, update_types: updateTypes(events), secret },
      });
      return { url };
    },
    unsubscribe: (service, { url, state }) => unsubscribe(service, typeof state?.url === "string" ? state.url : url),
    receive: ({ headers, body, onLongNumber }, { secret }) => {
      if (!isSameText(headers.get(SECRET_HEADER) ?? "", secret)) {
        return { isGenuine: false, reason: `${SECRET_HEADER} is missing or wrong` };
      }
      return { isGenuine: true, events: eventsOf(parseJson(body, onLongNumber)) };
    },
  },
  poll: {
    // A user is waiting for the bot's reply.
    everySeconds: 2,
    list: (service, { cursor, events }) => (cursor === null ? begin(service, events) : readOn(service, cursor, events)),
  },
};

async function unsubscribe(service: ServiceContext, url: string): Promise<void> {
  await callMax(service, { method: "DELETE", path: "/subscriptions", query: { url } });
}

const subscriptionList = z.object({ subscriptions: z.array(z.looseObject({ url: z.string() })) });

/**
 * Starts polling. A bot with a subscription cannot be polled, and the owner of that subscription may still need it, so
 * it is not removed.
 */
async function begin(service: ServiceContext, events: readonly string[]): Promise<Polled> {
  const answer = await callMax(service, { method: "GET", path: "/subscriptions" });
  const [other] = readBotAnswer(subscriptionList, answer).subscriptions;
  if (other) {
    const message = `The bot's events go to ${URL.parse(other.url)?.host ?? other.url}. Delete that subscription first.`;
    throw new StepError("VALIDATION_ERROR", message);
  }
  // Without a marker, MAX returns only the newest update and the marker to continue from.
  const { marker } = await getUpdates(service, { limit: 1, types: updateTypes(events).join(",") });
  return { events: [], cursor: { marker } };
}

async function readOn(service: ServiceContext, cursor: JsonObject, events: readonly string[]): Promise<Polled> {
  const { updates, marker } = await getUpdates(service, {
    limit: UPDATES_AT_ONCE,
    types: updateTypes(events).join(","),
    marker: typeof cursor.marker === "number" || typeof cursor.marker === "string" ? cursor.marker : undefined,
  });
  return {
    events: updates.flatMap(eventsOf),
    cursor: { marker: marker ?? cursor.marker ?? null },
    isMore: updates.length === UPDATES_AT_ONCE,
  };
}

/** 64 bits: beyond 2^53 it is a text. */
const markerSchema = z.union([z.number(), z.string()]);
const updateList = z.object({ updates: z.array(z.record(z.string(), z.unknown())), marker: markerSchema.nullish() });

/** https://dev.max.ru/docs-api/methods/GET/updates */
async function getUpdates(service: ServiceContext, query: Record<string, string | number | undefined>) {
  const answer = await callMax(service, { method: "GET", path: "/updates", query: { timeout: 0, ...query } });
  const { updates, marker = null } = readBotAnswer(updateList, answer);
  return { updates: updates as JsonObject[], marker };
}

function updateTypes(events: readonly string[]): string[] {
  return events.flatMap((event) => UPDATE_TYPES[event] ?? []);
}

/** MAX sends only updates. A body that carries the secret but is not an update contains no event. */
function parseJson(body: Buffer, onLongNumber: InboxDelivery["onLongNumber"]): JsonObject {
  try {
    const value: unknown = parseBoundedJson(body.toString("utf8"), onLongNumber);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function eventsOf(update: JsonObject): ConnectorEvent[] {
  const event = Object.keys(UPDATE_TYPES).find((name) => UPDATE_TYPES[name] === update.update_type);
  const id = idOf(update);
  if (event === undefined || id === null) return [];
  const occurredAt = typeof update.timestamp === "number" ? new Date(update.timestamp) : null;
  return [{ event, id, occurredAt, data: update }];
}

/** Returns the id of the object that an update is about, because updates have no ids. */
function idOf({ update_type: type, message: sent, callback }: JsonObject): string | null {
  if (type === UPDATE_TYPES.callback_query) return isJsonObject(callback) ? pressOf(callback) : null;
  if (!isJsonObject(sent)) return null;
  // A forwarded message has no body of its own.
  if (isJsonObject(sent.body)) return textOf(sent.body.mid);
  const chat = isJsonObject(sent.recipient) ? sent.recipient.chat_id : null;
  return `${String(chat)}/${String(sent.timestamp)}`;
}

/**
 * Returns the id of one press. `callback_id` identifies the keyboard, which can be pressed again; only time and user are
 * of the press (`Callback` in schema.yaml of https://github.com/max-messenger/max-bot-api-client-go).
 */
function pressOf({ callback_id: keyboard, timestamp, user: by }: JsonObject): string | null {
  const id = textOf(keyboard);
  return id === null ? null : `${id}/${isJsonObject(by) ? String(by.user_id) : ""}/${String(timestamp)}`;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
