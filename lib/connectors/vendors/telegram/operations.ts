import { z } from "zod";
import { connectorOperation, type GuidedOperation, type OperationGuide } from "#lib/connectors/sdk/connector-operation";
import { callTelegram } from "#lib/connectors/vendors/telegram/call-telegram";
import { writtenAs } from "#lib/contract/action/field-places";
import { numeric } from "#lib/support/numbers/numeric";

const chatId = z
  .union([z.number(), z.string().min(1)])
  .meta({ title: "Chat", description: "The id of the chat, or the @name of a public channel or group." });
/** https://core.telegram.org/bots/api#formatting-options */
const FORMATTED = writtenAs({
  by: "parse_mode",
  is: { HTML: "html", MarkdownV2: "markdown_v2" },
  otherwise: null,
});
const parseMode = z.enum(["HTML", "MarkdownV2"]).nullish().meta({ title: "Formatting" });
const TEXT_MAX = 4_096;
const CAPTION_MAX = 1_024;
const text = z
  .string()
  .min(1, "is required")
  .meta({ title: "Text", description: `Up to ${TEXT_MAX} characters, without markup.`, ...FORMATTED });
const caption = z
  .string()
  .nullish()
  .meta({ title: "Caption", description: `Up to ${CAPTION_MAX} characters, without markup.`, ...FORMATTED });
const link = writtenAs("url");
const button = z.looseObject({ url: z.unknown().optional().meta(link) });
const markup = z
  .looseObject({ inline_keyboard: z.array(z.array(button)).optional() })
  .nullish()
  .meta({
    title: "Buttons",
    description: "The reply_markup of the Bot API, such as {inline_keyboard: [[{text, callback_data}]]}.",
  });
const messageId = numeric(z.number().int()).meta({ title: "Message id" });
const userId = numeric(z.number().int()).meta({ title: "User id" });
/** https://core.telegram.org/bots/api#replyparameters */
const target = {
  reply_to_message_id: numeric(z.number().int()).nullish().meta({
    title: "Reply to message",
    description: "The message_id of a message in the same chat.",
  }),
  message_thread_id: numeric(z.number().int()).nullish().meta({
    title: "Topic",
    description: "The message_thread_id of a topic, in a group with topics.",
  }),
};
const silently = z.boolean().nullish().meta({ title: "Send silently" });
const sent = z.looseObject({ message_id: z.number(), date: z.number(), chat: z.looseObject({ id: z.number() }) });
const accepted = z.object({ ok: z.literal(true) });

type Guide = Pick<OperationGuide, "title" | "description" | "example"> & { kind: NonNullable<OperationGuide["kind"]> };

/** Defines an operation for a method of the Bot API. Its params are those of the method. */
function method<Params extends z.ZodObject>(
  name: string,
  params: Params,
  output: z.ZodType,
  guide: Guide,
): GuidedOperation {
  return connectorOperation({
    ...guide,
    docs: `https://core.telegram.org/bots/api#${name.toLowerCase()}`,
    params,
    output,
    run: async (service, given) => {
      const result = await callTelegram(service, name, toMethod(given));
      return result === true ? { ok: true } : result;
    },
  });
}

/** Returns params as the Bot API names them. */
function toMethod({ reply_to_message_id: replyTo, ...params }: { reply_to_message_id?: unknown }): object {
  return typeof replyTo === "number" ? { ...params, reply_parameters: { message_id: replyTo } } : params;
}

/** Telegram counts a text without its markup, so the length of one with markup says nothing. */
function isWithin(field: "text" | "caption", max: number) {
  return {
    isFit: ({ parse_mode: mode, [field]: given }: Partial<Record<string, unknown>>) =>
      typeof given !== "string" || given.length <= max || typeof mode === "string",
    issue: { path: [field], error: `must be at most ${max} characters long` },
  };
}
const TEXT = isWithin("text", TEXT_MAX);
const CAPTION = isWithin("caption", CAPTION_MAX);

/** An item of an album: https://core.telegram.org/bots/api#inputmediaphoto and the types next to it. */
const albumItem = z
  .object({
    type: z.enum(["photo", "video", "document", "audio"]),
    media: z.string().min(1, "is required").meta(link),
    caption: z.string().optional().meta(FORMATTED),
    parse_mode: z.enum(["HTML", "MarkdownV2"]).optional(),
  })
  .refine(CAPTION.isFit, CAPTION.issue);

/** https://core.telegram.org/bots/api#available-methods */
export const TELEGRAM_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  send_message: method(
    "sendMessage",
    z
      .object({
        chat_id: chatId,
        text,
        parse_mode: parseMode,
        reply_markup: markup,
        disable_notification: silently,
        ...target,
      })
      .refine(TEXT.isFit, TEXT.issue),
    sent,
    {
      kind: "send",
      title: "Send a message",
      description: "Sends a text message to a chat.",
      example: { chat_id: "{{trigger.output.data.chat.id}}", text: "Hello" },
    },
  ),
  edit_message_text: method(
    "editMessageText",
    z
      .object({ chat_id: chatId, message_id: messageId, text, parse_mode: parseMode, reply_markup: markup })
      .refine(TEXT.isFit, TEXT.issue),
    sent,
    {
      kind: "update",
      title: "Edit a message",
      description: "Replaces the text of a message that the bot sent.",
      example: { chat_id: 4711, message_id: 7, text: "Done" },
    },
  ),
  delete_message: method("deleteMessage", z.object({ chat_id: chatId, message_id: messageId }), accepted, {
    kind: "delete",
    title: "Delete a message",
    description:
      "Deletes a message the bot sent, or any message in a chat where the bot is an administrator. The message can be up to 48 hours old.",
    example: { chat_id: 4711, message_id: 7 },
  }),
  send_photo: method(
    "sendPhoto",
    z
      .object({
        chat_id: chatId,
        photo: z
          .string()
          .min(1)
          .meta({ title: "Picture", description: "An https URL, or the file_id of a picture sent before.", ...link }),
        caption,
        parse_mode: parseMode,
        ...target,
      })
      .refine(CAPTION.isFit, CAPTION.issue),
    sent,
    {
      kind: "send",
      title: "Send a picture",
      description: "Sends a picture that Telegram downloads from a URL.",
      example: { chat_id: 4711, photo: "https://example.com/chart.png", caption: "Today" },
    },
  ),
  send_document: method(
    "sendDocument",
    z.object({
      chat_id: chatId,
      document: z
        .string()
        .min(1)
        .meta({ title: "File", description: "An https URL, or the file_id of a file sent before.", ...link }),
      caption: z.string().max(CAPTION_MAX).nullish().meta({ title: "Caption" }),
      ...target,
    }),
    sent,
    {
      kind: "send",
      title: "Send a file",
      description: "Sends a file that Telegram downloads from a URL.",
      example: { chat_id: 4711, document: "https://example.com/report.pdf" },
    },
  ),
  send_media_group: connectorOperation({
    kind: "send",
    title: "Send an album",
    description: "Sends 2 to 10 pictures and videos, or files, or audio files, as one album.",
    docs: "https://core.telegram.org/bots/api#sendmediagroup",
    params: z.object({
      chat_id: chatId,
      media: z.array(albumItem).min(2).max(10).meta({
        title: "Items",
        description:
          '[{"type": "photo", "media": "https://example.com/1.png", "caption": "First"}]: https URLs or file_ids.',
      }),
      disable_notification: silently,
      ...target,
    }),
    output: z.object({ messages: z.array(sent) }),
    example: {
      chat_id: 4711,
      media: [
        { type: "photo", media: "https://example.com/1.png", caption: "Today" },
        { type: "photo", media: "https://example.com/2.png" },
      ],
    },
    run: async (service, given) => ({ messages: await callTelegram(service, "sendMediaGroup", toMethod(given)) }),
  }),
  answer_callback_query: method(
    "answerCallbackQuery",
    z.object({
      callback_query_id: z.string().min(1).meta({ title: "Callback query id" }),
      text: z.string().max(200).nullish().meta({ title: "Text" }),
      show_alert: z.boolean().nullish().meta({ title: "Show as a pop-up" }),
    }),
    accepted,
    {
      kind: "update",
      title: "Answer a button press",
      description: "Stops the loading indicator on the button and can show a short text.",
      example: { callback_query_id: "{{trigger.output.data.id}}", text: "Thank you" },
    },
  ),
  get_me: method("getMe", z.object({}), z.looseObject({ id: z.number(), username: z.string().optional() }), {
    kind: "read",
    title: "Get the bot",
    description: "Returns the bot's id, name and username.",
    example: {},
  }),
  get_chat: method("getChat", z.object({ chat_id: chatId }), z.looseObject({ id: z.number(), type: z.string() }), {
    kind: "read",
    title: "Get a chat",
    description: "Returns what the bot can see of a chat: its type, title and settings.",
    example: { chat_id: 4711 },
  }),
  get_chat_member: method(
    "getChatMember",
    z.object({ chat_id: chatId, user_id: userId }),
    z.looseObject({ status: z.string() }),
    {
      kind: "read",
      title: "Get a chat member",
      description: "Returns a user's status in a chat, such as member or administrator.",
      example: { chat_id: -100123, user_id: 4711 },
    },
  ),
  approve_chat_join_request: method(
    "approveChatJoinRequest",
    z.object({ chat_id: chatId, user_id: userId }),
    accepted,
    {
      kind: "update",
      title: "Approve a join request",
      description: "Lets a user join the chat they asked to join.",
      example: { chat_id: "{{trigger.output.data.chat.id}}", user_id: 4711 },
    },
  ),
  decline_chat_join_request: method(
    "declineChatJoinRequest",
    z.object({ chat_id: chatId, user_id: userId }),
    accepted,
    {
      kind: "update",
      title: "Decline a join request",
      description: "Declines a user's request to join a chat.",
      example: { chat_id: "{{trigger.output.data.chat.id}}", user_id: 4711 },
    },
  ),
};
