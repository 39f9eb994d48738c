import {
  startVendor,
  type TestVendor,
  type VendorAnswer,
  type VendorRequest,
} from "#lib/connectors/sdk/vendor.fixture";

export const BOT_TOKEN = "123456789:AAcanary-9f8e7d6c5b4a3210ffee";

/** One bot, its webhook, its update queue, and the requests it received: https://core.telegram.org/bots/api. */
export interface TestTelegram extends TestVendor {
  /** The token that the server accepts. */
  token: string;
  webhook: { url: string; secret_token: string; allowed_updates: string[] } | null;
  sent: Record<string, unknown>[];
  /**
   * Publishes an update to the webhook, or queues it for getUpdates.
   * @returns the status of the webhook's response
   */
  happens(field: string, value: Record<string, unknown>, updateId?: number): Promise<number | null>;
  /** Sends the queued updates to the webhook. */
  deliverPending(): Promise<void>;
}

/** For tests: starts a server that behaves like the Bot API. */
export async function startTelegram(): Promise<TestTelegram> {
  let updates: Record<string, unknown>[] = [];
  let nextId = 1;
  const telegram: TestTelegram = Object.assign(await startVendor(answer), {
    token: BOT_TOKEN,
    webhook: null,
    sent: [],
    happens: async (field: string, value: Record<string, unknown>, updateId?: number) => {
      const update = { update_id: updateId ?? nextId++, [field]: value };
      if (!telegram.webhook) {
        updates.push(update);
        return null;
      }
      return deliver(update);
    },
    deliverPending: async () => {
      for (const update of updates.splice(0)) await deliver(update);
    },
  });

  async function deliver(update: Record<string, unknown>): Promise<number | null> {
    const { webhook } = telegram;
    if (!webhook || !Object.keys(update).some((field) => webhook.allowed_updates.includes(field))) return null;
    const headers = {
      "content-type": "application/json",
      "x-telegram-bot-api-secret-token": webhook.secret_token,
    };
    const response = await fetch(webhook.url, { method: "POST", headers, body: JSON.stringify(update) });
    await response.arrayBuffer();
    return response.status;
  }

  function answer({ path, json }: VendorRequest): VendorAnswer {
    const [, token, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    if (token !== telegram.token) return refusal(401, "Unauthorized");
    const known = METHODS[method];
    return known ? known(json) : refusal(404, "Not Found");
  }

  const METHODS: Record<string, (params: Record<string, unknown>) => VendorAnswer> = {
    getMe: () => result({ id: 123456789, is_bot: true, first_name: "Signal", username: "signal_bot" }),
    setWebhook: ({ url, secret_token, allowed_updates, drop_pending_updates: isDropped }) => {
      if (isDropped) updates = [];
      telegram.webhook = { url, secret_token, allowed_updates } as NonNullable<TestTelegram["webhook"]>;
      return result(true);
    },
    deleteWebhook: () => {
      telegram.webhook = null;
      return result(true);
    },
    getUpdates: ({ offset, limit, allowed_updates: allowed }) => {
      if (telegram.webhook) return refusal(409, "Conflict: can't use getUpdates method while webhook is active");
      const from = Number(offset ?? 0);
      // "All previous updates will be forgotten". A negative offset counts from the end.
      updates = from < 0 ? updates.slice(from) : updates.filter((update) => Number(update.update_id) >= from);
      const isAllowed = (update: object) =>
        !Array.isArray(allowed) || Object.keys(update).some((key) => allowed.includes(key));
      return result(updates.filter(isAllowed).slice(0, Number(limit ?? 100)));
    },
    sendMessage: (params) => {
      if (params.chat_id === 404) return refusal(400, "Bad Request: chat not found");
      telegram.sent.push(params);
      return result({
        message_id: telegram.sent.length,
        date: 1_790_000_000,
        chat: { id: params.chat_id, type: "private" },
        text: params.text,
      });
    },
    sendMediaGroup: (params) => {
      telegram.sent.push(params);
      const items = params.media as unknown[];
      return result(
        items.map((_, index) => ({ message_id: index, date: 1_790_000_000, chat: { id: params.chat_id } })),
      );
    },
    answerCallbackQuery: (params) => {
      telegram.sent.push(params);
      return result(true);
    },
  };
  return telegram;
}

const result = (value: unknown): VendorAnswer => ({ json: { ok: true, result: value } });
const refusal = (code: number, description: string, parameters?: object): VendorAnswer => ({
  status: code,
  json: { ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) },
});
