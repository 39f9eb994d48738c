import { z } from "zod";
import { headerSecret } from "#lib/connectors/sdk/connection-fields";
import type { ConnectorDefinition } from "#lib/connectors/sdk/define-connector";
import { callMax, readBotAnswer } from "#lib/connectors/vendors/max/call-max";
import { MAX_OPERATIONS } from "#lib/connectors/vendors/max/operations";
import { MAX_INBOX, MAX_TRIGGERS } from "#lib/connectors/vendors/max/triggers";

const bot = z.looseObject({ user_id: z.number(), first_name: z.string(), username: z.string().nullish() });

export const MAX_CONNECTOR: ConnectorDefinition = {
  name: "max",
  label: "MAX",
  description: "Send and receive messages and buttons as a bot",
  keywords: "messenger chat bot messages vk",
  docs: "https://dev.max.ru/docs-api",
  addresses: { base_url: "https://platform-api2.max.ru" },
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
          help: "Copy it from business.max.ru under Chat bots, in the settings of the bot. To read messages in a group, the bot must be an administrator.",
          schema: headerSecret,
        },
      ],
      origins: ({ base_url: baseUrl = "" }) => [new URL(baseUrl).origin],
      // https://dev.max.ru/docs-api: the token is sent as it is, without a scheme.
      sign: (request, { token = "" }) => ({ ...request, headers: { ...request.headers, authorization: token } }),
      test: async (service) => {
        const { username, first_name: name } = readBotAnswer(
          bot,
          await callMax(service, { method: "GET", path: "/me" }),
        );
        return `MAX accepts the token of ${username ? `@${username}` : name}.`;
      },
    },
  ],
  operations: MAX_OPERATIONS,
  triggers: MAX_TRIGGERS,
  inbox: MAX_INBOX,
};
