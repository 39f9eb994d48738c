import { z } from "zod";
import { connectorOperation, type GuidedOperation, type OperationGuide } from "#lib/connectors/sdk/connector-operation";
import { callTelegram } from "#lib/connectors/vendors/telegram/call-telegram";

const chatId = z
  .union([z.number(), z.string().min(1)])
  .meta({ title: "Chat", description: "Its id, or @name of a public channel or group." });
const text = z.string().min(1, "is required").max(4_096).meta({ title: "Text" });
const parseMode = z.enum(["HTML", "MarkdownV2"]).nullish().meta({ title: "Formatting" });
const markup = z.record(z.string(), z.unknown()).nullish().meta({
  title: "Buttons",
  description: "reply_markup of the Bot API, such as {inline_keyboard: [[{text, callback_data}]]}.",
});
const messageId = z.coerce.number().int().meta({ title: "Message id" });
const userId = z.coerce.number().int().meta({ title: "User id" });
const sent = z.looseObject({ message_id: z.number(), date: z.number(), chat: z.looseObject({ id: z.number() }) });
const accepted = z.object({ ok: z.literal(true) });

type Guide = Pick<OperationGuide, "title" | "description" | "example"> & { kind: NonNullable<OperationGuide["kind"]> };

/** A method of the Bot API as an operation: its params are the method's. */
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
      const result = await callTelegram(service, name, given as object);
      return result === true ? { ok: true } : result;
    },
  });
}

/** https://core.telegram.org/bots/api#available-methods */
export const TELEGRAM_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  send_message: method(
    "sendMessage",
    z.object({
      chat_id: chatId,
      text,
      parse_mode: parseMode,
      reply_markup: markup,
      disable_notification: z.boolean().nullish().meta({ title: "Without a sound" }),
    }),
    sent,
    {
      kind: "send",
      title: "Send a message",
      description: "A text to a chat.",
      example: { chat_id: "{{trigger.output.data.chat.id}}", text: "Hello" },
    },
  ),
  edit_message_text: method(
    "editMessageText",
    z.object({ chat_id: chatId, message_id: messageId, text, parse_mode: parseMode, reply_markup: markup }),
    sent,
    {
      kind: "update",
      title: "Edit a message",
      description: "Another text in the place of one that the bot sent.",
      example: { chat_id: 4711, message_id: 7, text: "Done" },
    },
  ),
  delete_message: method("deleteMessage", z.object({ chat_id: chatId, message_id: messageId }), accepted, {
    kind: "delete",
    title: "Delete a message",
    description: "A message of the bot's, or any where it is an administrator; 48 hours back at the most.",
    example: { chat_id: 4711, message_id: 7 },
  }),
  send_photo: method(
    "sendPhoto",
    z.object({
      chat_id: chatId,
      photo: z
        .string()
        .min(1)
        .meta({ title: "Picture", description: "An https address, or the file_id of one sent before." }),
      caption: z.string().max(1_024).nullish().meta({ title: "Caption" }),
      parse_mode: parseMode,
    }),
    sent,
    {
      kind: "send",
      title: "Send a picture",
      description: "A picture that Telegram fetches from an address.",
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
        .meta({ title: "File", description: "An https address, or the file_id of one sent before." }),
      caption: z.string().max(1_024).nullish().meta({ title: "Caption" }),
    }),
    sent,
    {
      kind: "send",
      title: "Send a file",
      description: "A file that Telegram fetches from an address.",
      example: { chat_id: 4711, document: "https://example.com/report.pdf" },
    },
  ),
  answer_callback_query: method(
    "answerCallbackQuery",
    z.object({
      callback_query_id: z.string().min(1).meta({ title: "Callback query id" }),
      text: z.string().max(200).nullish().meta({ title: "Text" }),
      show_alert: z.boolean().nullish().meta({ title: "As a window" }),
    }),
    accepted,
    {
      kind: "update",
      title: "Answer a pressed button",
      description: "Ends the waiting sign of the button, with a short text if one is given.",
      example: { callback_query_id: "{{trigger.output.data.id}}", text: "Thank you" },
    },
  ),
  get_me: method("getMe", z.object({}), z.looseObject({ id: z.number(), username: z.string().optional() }), {
    kind: "read",
    title: "Get the bot",
    description: "Who the bot is.",
    example: {},
  }),
  get_chat: method("getChat", z.object({ chat_id: chatId }), z.looseObject({ id: z.number(), type: z.string() }), {
    kind: "read",
    title: "Get a chat",
    description: "What the bot may know of a chat.",
    example: { chat_id: 4711 },
  }),
  get_chat_member: method(
    "getChatMember",
    z.object({ chat_id: chatId, user_id: userId }),
    z.looseObject({ status: z.string() }),
    {
      kind: "read",
      title: "Get a member",
      description: "Somebody's place in a chat.",
      example: { chat_id: -100123, user_id: 4711 },
    },
  ),
  approve_chat_join_request: method(
    "approveChatJoinRequest",
    z.object({ chat_id: chatId, user_id: userId }),
    accepted,
    {
      kind: "update",
      title: "Let somebody join",
      description: "Accepts a request to join a chat.",
      example: { chat_id: "{{trigger.output.data.chat.id}}", user_id: 4711 },
    },
  ),
  decline_chat_join_request: method(
    "declineChatJoinRequest",
    z.object({ chat_id: chatId, user_id: userId }),
    accepted,
    {
      kind: "update",
      title: "Refuse a request to join",
      description: "Declines a request to join a chat.",
      example: { chat_id: "{{trigger.output.data.chat.id}}", user_id: 4711 },
    },
  ),
};
