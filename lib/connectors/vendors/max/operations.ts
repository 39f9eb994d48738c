import { z } from "zod";
import { pathOf } from "#lib/connectors/sdk/call-service";
import { collectPages, maxItems } from "#lib/connectors/sdk/collect-pages";
import { connectorOperation, type GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import { epochMilliseconds } from "#lib/connectors/sdk/epoch";
import { callMax, readBotAnswer } from "#lib/connectors/vendors/max/call-max";
import { writtenAs } from "#lib/contract/action/field-places";
import { numeric } from "#lib/support/numbers/numeric";

const DOCS = "https://dev.max.ru/docs-api/methods";

const PAGE_MAX = 100;

const id = z.union([z.number().int(), z.string().min(1)]);
// MAX has no method that lists the chats of a bot since June 2026.
const chatId = id.meta({ title: "Chat id", description: "The recipient.chat_id of a message." });
const userId = id.meta({ title: "User id", description: "The sender.user_id of a message." });
const messageId = z.string().min(1).meta({ title: "Message id", description: "The body.mid of a message." });
const count = numeric(z.number().int().min(1).max(100)).nullish().meta({ title: "Page size" });
const marker = z
  .union([z.number().int(), z.string().regex(/^\d+$/, "must be a whole number")])
  .nullish()
  .meta({ title: "Marker", description: "The marker that the previous page returned." });

const TEXT_MAX = 4_000;
/** https://dev.max.ru/docs-api/use-cases/sending-messages/text-formatting */
const FORMATTED = writtenAs({ by: "format", is: { html: "html", markdown: "markdown" }, otherwise: null });
const text = z
  .string()
  .meta({ title: "Text", description: `Up to ${TEXT_MAX} characters, without markup.`, ...FORMATTED });
const link = z.unknown().optional().meta(writtenAs("url"));
const content = {
  format: z.enum(["markdown", "html"]).nullish().meta({ title: "Formatting" }),
  buttons: z
    .array(
      z
        .array(z.looseObject({ type: z.string(), text: z.string().max(128), url: link }))
        .min(1)
        .max(7),
    )
    .max(30)
    .nullish()
    .meta({ title: "Buttons", description: "Rows of buttons: [[{type: callback, text, payload}]]." }),
  attachments: z
    .array(z.looseObject({ type: z.string(), payload: z.looseObject({ url: link }).nullish() }))
    .max(12)
    .nullish()
    .meta({ title: "Attachments", description: "In MAX's format: [{type: image, payload: {url}}]." }),
  notify: z.boolean().nullish().meta({ title: "With a notification" }),
};
/** Markup makes a text longer than what MAX counts. */
const isWithin = ({ text: given, format }: { text?: string | null | undefined; format?: string | null | undefined }) =>
  !given || given.length <= TEXT_MAX || typeof format === "string";
const TOO_LONG = { path: ["text"], error: `must be at most ${TEXT_MAX} characters long` };
type Content = { text?: string | null | undefined } & {
  [Name in keyof typeof content]?: z.output<(typeof content)[Name]>;
};

const message = z.looseObject({ recipient: z.looseObject({ chat_id: z.number().nullable() }), timestamp: z.number() });
const accepted = z.looseObject({ success: z.literal(true) });
const chat = z.looseObject({ chat_id: z.number(), type: z.string(), status: z.string(), title: z.string().nullish() });

const membersPage = z.looseObject({
  members: z.array(z.looseObject({ user_id: z.number() })),
  // 64 bits: beyond 2^53 it is a text.
  marker: z.union([z.number(), z.string()]).nullish(),
});

/** https://dev.max.ru/docs-api/objects/NewMessageBody; empty fields are omitted because null has a meaning. */
function messageBody({ text: written, format, buttons, attachments, notify }: Content, replyTo?: string | null) {
  const keyboard = buttons ? [{ type: "inline_keyboard", payload: { buttons } }] : [];
  const all = attachments || buttons ? [...(attachments ?? []), ...keyboard] : undefined;
  const body = {
    text: written ?? undefined,
    format: format ?? undefined,
    notify: notify ?? undefined,
    attachments: all,
    link: replyTo ? { type: "reply", mid: replyTo } : undefined,
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

const MESSAGE_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  send_message: connectorOperation({
    kind: "send",
    title: "Send a message",
    description: "Sends a message to a chat, or to a user who has already written to the bot.",
    docs: `${DOCS}/POST/messages`,
    params: z
      .object({
        chat_id: chatId.nullish(),
        user_id: userId.nullish(),
        text: text.nullish(),
        ...content,
        reply_to: messageId
          .nullish()
          .meta({ title: "Reply to", description: "The body.mid of the message to reply to." }),
        disable_link_preview: z.boolean().nullish().meta({ title: "Hide link previews" }),
      })
      .refine(({ chat_id: chatGiven, user_id: userGiven }) => (chatGiven == null) !== (userGiven == null), {
        path: ["chat_id"],
        error: "set either a chat or a user, not both",
      })
      .refine((given) => given.text || given.attachments?.length, { path: ["text"], error: "is required" })
      .refine(isWithin, TOO_LONG),
    output: z.looseObject({ message }),
    example: { chat_id: "{{trigger.output.data.message.recipient.chat_id}}", text: "Hello" },
    run: (service, { chat_id, user_id, reply_to, disable_link_preview, ...given }) =>
      callMax(service, {
        method: "POST",
        path: "/messages",
        query: { chat_id, user_id, disable_link_preview },
        json: messageBody(given, reply_to),
      }),
  }),
  edit_message: connectorOperation({
    kind: "update",
    title: "Edit a message",
    description: "Replaces the text, buttons or attachments of a message that the bot sent.",
    docs: `${DOCS}/PUT/messages`,
    params: z.object({ message_id: messageId, text: text.nullish(), ...content }).refine(isWithin, TOO_LONG),
    output: accepted,
    example: { message_id: "mid.0000000000dbc0c4", text: "Done" },
    run: (service, { message_id, ...given }) =>
      callMax(service, { method: "PUT", path: "/messages", query: { message_id }, json: messageBody(given) }),
  }),
  delete_message: connectorOperation({
    kind: "delete",
    title: "Delete a message",
    description: "Deletes a message the bot sent, or any message the bot has permission to delete.",
    docs: `${DOCS}/DELETE/messages`,
    params: z.object({ message_id: messageId }),
    output: accepted,
    example: { message_id: "mid.0000000000dbc0c4" },
    run: (service, query) => callMax(service, { method: "DELETE", path: "/messages", query }),
  }),
  get_message: connectorOperation({
    kind: "read",
    title: "Get a message",
    description: "Returns a message by its id.",
    docs: `${DOCS}/GET/messages/-messageId-`,
    params: z.object({ message_id: messageId }),
    output: message,
    example: { message_id: "mid.0000000000dbc0c4" },
    run: (service, { message_id }) => callMax(service, { method: "GET", path: pathOf`/messages/${message_id}` }),
  }),
  list_messages: connectorOperation({
    kind: "search",
    title: "List messages",
    description: "Returns the newest messages of a chat, or the messages between two times.",
    docs: `${DOCS}/GET/messages`,
    params: z.object({
      chat_id: chatId,
      from: epochMilliseconds.nullish().meta({ title: "From", description: "Epoch milliseconds." }),
      to: epochMilliseconds.nullish().meta({ title: "To", description: "Epoch milliseconds." }),
      count,
    }),
    output: z.looseObject({ messages: z.array(message) }),
    example: { chat_id: 900_100, count: 20 },
    run: (service, query) => callMax(service, { method: "GET", path: "/messages", query }),
  }),
  answer_callback: connectorOperation({
    kind: "update",
    title: "Answer a button press",
    description: "Shows a short notice to the user who pressed the button, changes the message, or both.",
    docs: `${DOCS}/POST/answers`,
    params: z
      .object({
        callback_id: z.string().min(1).meta({ title: "Callback id" }),
        notification: z.string().max(1_000).nullish().meta({ title: "Notice" }),
        text: text.nullish().meta({ title: "New message text" }),
        ...content,
      })
      .refine((given) => given.notification || given.text || given.attachments || given.buttons, {
        path: ["notification"],
        error: "is required if the message does not change",
      })
      .refine(isWithin, TOO_LONG),
    output: accepted,
    example: { callback_id: "{{trigger.output.data.callback.callback_id}}", notification: "Thank you" },
    run: (service, { callback_id, notification, ...given }) => {
      const changed = messageBody(given);
      const json = {
        ...(notification ? { notification } : {}),
        ...(Object.keys(changed).length > 0 ? { message: changed } : {}),
      };
      return callMax(service, { method: "POST", path: "/answers", query: { callback_id }, json });
    },
  }),
};

/** https://dev.max.ru/docs-api */
export const MAX_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  ...MESSAGE_OPERATIONS,
  get_me: connectorOperation({
    kind: "read",
    title: "Get the bot",
    description: "Returns the bot's id, name and username.",
    docs: `${DOCS}/GET/me`,
    params: z.object({}),
    output: z.looseObject({ user_id: z.number(), first_name: z.string(), username: z.string().nullish() }),
    example: {},
    run: (service) => callMax(service, { method: "GET", path: "/me" }),
  }),
  get_chat: connectorOperation({
    kind: "read",
    title: "Get a chat",
    description: "Returns what the bot can see of a chat: its type, status and title.",
    docs: `${DOCS}/GET/chats/-chatId-`,
    params: z.object({ chat_id: chatId }),
    output: chat,
    example: { chat_id: 900_100 },
    run: (service, { chat_id }) => callMax(service, { method: "GET", path: pathOf`/chats/${chat_id}` }),
  }),
  list_members: connectorOperation({
    kind: "search",
    title: "List members",
    description: "Returns a page of the members of a group or channel.",
    docs: `${DOCS}/GET/chats/-chatId-/members`,
    params: z.object({ chat_id: chatId, count, marker, max_items: maxItems }),
    output: membersPage,
    example: { chat_id: 900_100, count: 50 },
    run: async (service, { chat_id, max_items: limit, ...query }) => {
      const ask = (more: object) =>
        callMax(service, { method: "GET", path: pathOf`/chats/${chat_id}/members`, query: { ...query, ...more } });
      if (!limit) return ask({});
      const { items: members, next } = await collectPages(
        service,
        { limit, from: query.marker ?? (0 as number | string) },
        async (from, wanted) => {
          const size = Math.min(query.count ?? PAGE_MAX, wanted);
          const page = readBotAnswer(membersPage, await ask({ count: size, marker: from === 0 ? null : from }));
          return { items: page.members, next: page.marker ?? null };
        },
      );
      return { members, marker: next };
    },
  }),
  remove_member: connectorOperation({
    kind: "delete",
    title: "Remove a member",
    description: "Removes a user from a group. With Block, the user can't join again.",
    docs: `${DOCS}/DELETE/chats/-chatId-/members`,
    params: z.object({ chat_id: chatId, user_id: userId, block: z.boolean().nullish().meta({ title: "Block" }) }),
    output: accepted,
    example: { chat_id: 900_100, user_id: 4711 },
    run: (service, { chat_id, ...query }) =>
      callMax(service, { method: "DELETE", path: pathOf`/chats/${chat_id}/members`, query }),
  }),
  pin_message: connectorOperation({
    kind: "update",
    title: "Pin a message",
    description: "Pins a message to the top of a group.",
    docs: `${DOCS}/PUT/chats/-chatId-/pin`,
    params: z.object({ chat_id: chatId, message_id: messageId, notify: content.notify }),
    output: accepted,
    example: { chat_id: 900_100, message_id: "mid.0000000000dbc0c4" },
    run: (service, { chat_id, message_id, notify }) =>
      callMax(service, {
        method: "PUT",
        path: pathOf`/chats/${chat_id}/pin`,
        json: { message_id, notify: notify ?? true },
      }),
  }),
};
