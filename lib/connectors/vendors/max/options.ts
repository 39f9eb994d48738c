import { z } from "zod";
import { collectPages } from "#lib/connectors/sdk/collect-pages";
import type { OptionsLoader } from "#lib/connectors/sdk/page-options";
import { callMax, readBotAnswer } from "#lib/connectors/vendors/max/call-max";

const CHATS_MAX = 1_000;
const CHATS_PAGE = 100;

const page = z.looseObject({
  chats: z.array(z.looseObject({ chat_id: z.number(), type: z.string(), title: z.string().nullish() })),
  marker: z.number().nullish(),
});

export const MAX_OPTIONS: Readonly<Record<string, OptionsLoader>> = {
  // https://dev.max.ru/docs-api/methods/GET/chats: lists the group chats of the bot, but not its one-to-one dialogs.
  chats: async (service) => {
    const { items } = await collectPages(service, { limit: CHATS_MAX, from: 0 }, async (from) => {
      const query = { count: CHATS_PAGE, marker: from === 0 ? null : from };
      const { chats, marker } = readBotAnswer(page, await callMax(service, { method: "GET", path: "/chats", query }));
      return { items: chats, next: marker ?? null };
    });
    return { options: items.map(({ chat_id: id, type, title }) => ({ value: id, label: title ?? "", hint: type })) };
  },
};
