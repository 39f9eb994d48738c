import { z } from "zod";
import type { ConnectorDefinition } from "#lib/connectors/sdk/define-connector";
import { callTelegram } from "#lib/connectors/vendors/telegram/call-telegram";
import { TELEGRAM_OPERATIONS } from "#lib/connectors/vendors/telegram/operations";
import { TELEGRAM_INBOX, TELEGRAM_TRIGGERS } from "#lib/connectors/vendors/telegram/triggers";

export const TELEGRAM_CONNECTOR: ConnectorDefinition = {
  name: "telegram",
  label: "Telegram",
  description: "Send and receive messages, buttons and join requests as a bot",
  keywords: "tg messenger chat bot channel dm messages notify",
  docs: "https://core.telegram.org/bots/api",
  addresses: { base_url: "https://api.telegram.org" },
  auths: [
    {
      name: "bot_token",
      label: "Bot token",
      fields: [
        {
          name: "token",
          label: "Bot token",
          kind: "secret",
          isRequired: true,
          placeholder: "123456789:AA…",
          help: "Create a bot with @BotFather and paste its token. Use each bot in one connection only: Telegram sends a bot's messages to a single address.",
          schema: z
            .string()
            .trim()
            .regex(/^\d{1,20}:[A-Za-z0-9_-]{20,100}$/, "must look like 123456789:AA…"),
        },
      ],
      origins: ({ base_url: baseUrl = "" }) => [new URL(baseUrl).origin],
      // https://core.telegram.org/bots/api#making-requests: /bot<token>/<method>
      sign: (request, { token, base_url: baseUrl = "" }) => {
        if (!request.url.startsWith(baseUrl)) return request;
        return { ...request, url: `${baseUrl}/bot${token}${request.url.slice(baseUrl.length)}` };
      },
      test: async (service) => {
        const bot = z.looseObject({ username: z.string() }).parse(await callTelegram(service, "getMe"));
        return `Telegram accepts the token of @${bot.username}.`;
      },
    },
  ],
  operations: TELEGRAM_OPERATIONS,
  triggers: TELEGRAM_TRIGGERS,
  inbox: TELEGRAM_INBOX,
};
