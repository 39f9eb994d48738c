import {
  startVendor,
  type TestVendor,
  type VendorAnswer,
  type VendorRequest,
} from "#lib/connectors/sdk/vendor.fixture";

export const MAX_TOKEN = "f9LHodD0cOI-canary-9f8e7d6c5b4a";

interface Message {
  recipient: { chat_id: number; chat_type: string; user_id: number | null };
  timestamp: number;
  body: { mid: string; seq: number; text: unknown; attachments: unknown };
  link?: unknown;
}

/** One bot, its subscriptions, its update queue, and one chat: https://dev.max.ru/docs-api. */
export interface TestMax extends TestVendor {
  /** The token that the server accepts. */
  token: string;
  subscriptions: { url: string; update_types: string[]; secret?: string; time: number }[];
  messages: Map<string, Message>;
  /** The members of the chat. */
  members: { user_id: number; first_name: string; is_bot: boolean }[];
  answers: { callbackId: string | null; body: unknown }[];
  /**
   * Publishes an update to the subscriptions, or queues it for GET /updates.
   * @returns the status of the webhook's response
   */
  happens(update: Record<string, unknown>): Promise<number | null>;
}

export const MAX_CHAT = 900_100;
const NOW = 1_790_000_000_000;

/** For tests: starts a server that behaves like the Bot API. */
export async function startMax(): Promise<TestMax> {
  const updates: Record<string, unknown>[] = [];
  let next = 1;
  const max: TestMax = Object.assign(await startVendor(answer), {
    token: MAX_TOKEN,
    subscriptions: [] as TestMax["subscriptions"],
    messages: new Map<string, Message>(),
    members: [{ user_id: 4711, first_name: "Ada", is_bot: false }],
    answers: [] as TestMax["answers"],
    happens: async (update: Record<string, unknown>) => {
      const [subscription] = max.subscriptions;
      if (!subscription) {
        updates.push(update);
        return null;
      }
      if (!subscription.update_types.includes(String(update.update_type))) return null;
      const response = await fetch(subscription.url, {
        method: "POST",
        headers: { "content-type": "application/json", "x-max-bot-api-secret": subscription.secret ?? "" },
        body: JSON.stringify(update),
      });
      await response.arrayBuffer();
      return response.status;
    },
  });

  function answer(request: VendorRequest): VendorAnswer | null {
    if (request.headers.authorization !== max.token) return refusal(401, "verify.token", "Invalid access_token");
    const { method, path } = request;
    const chat = /^\/chats\/(-?\w+)(\/.*)?$/.exec(path);
    if (chat) return Number(chat[1]) === MAX_CHAT ? ofChat(max, request, chat[2] ?? "") : notFound("chat.not.found");
    if (path.startsWith("/messages")) return ofMessages(request, path.split("/")[2] ?? null);
    const known: Record<string, () => VendorAnswer> = {
      "GET /me": () => ({ json: { user_id: 12345, first_name: "Signal", username: "signal_bot", is_bot: true } }),
      "GET /updates": () => listUpdates(request.query),
      "GET /subscriptions": () => ({
        json: { subscriptions: max.subscriptions.map(({ secret: _, ...shown }) => shown) },
      }),
      "POST /subscriptions": () => subscribe(request.json),
      "DELETE /subscriptions": () => {
        max.subscriptions = max.subscriptions.filter(({ url }) => url !== request.query.get("url"));
        return SUCCESS;
      },
      "POST /answers": () => {
        max.answers.push({ callbackId: request.query.get("callback_id"), body: request.json });
        return SUCCESS;
      },
    };
    return known[`${method} ${path}`]?.() ?? null;
  }

  function subscribe(json: Record<string, unknown>): VendorAnswer {
    const given = json as TestMax["subscriptions"][number];
    if (!/^[a-zA-Z0-9_-]{5,256}$/.test(given.secret ?? "")) return refusal(400, "proto.payload", "secret: wrong");
    max.subscriptions = [...max.subscriptions.filter(({ url }) => url !== given.url), { ...given, time: NOW }];
    return SUCCESS;
  }

  function listUpdates(query: URLSearchParams): VendorAnswer {
    const marker = query.get("marker");
    const types = query.get("types")?.split(",");
    const from = marker === null ? Math.max(0, updates.length - 1) : Number(marker);
    const found = updates.slice(from, from + Number(query.get("limit") ?? 100));
    const asked = found.filter(({ update_type: type }) => !types || types.includes(String(type)));
    return { json: { updates: asked, marker: from + found.length } };
  }

  function ofMessages({ method, query, json }: VendorRequest, pathId: string | null): VendorAnswer | null {
    if (method === "POST") {
      const to = query.get("user_id");
      const mid = `mid.${next++}`;
      const message: Message = {
        recipient: { chat_id: MAX_CHAT, chat_type: "dialog", user_id: to === null ? null : Number(to) },
        timestamp: NOW,
        body: { mid, seq: next, text: json.text ?? null, attachments: json.attachments ?? null },
        ...(json.link ? { link: json.link } : {}),
      };
      max.messages.set(mid, message);
      return { json: { message } };
    }
    if (method === "GET" && pathId === null) return { json: { messages: [...max.messages.values()].reverse() } };
    const mid = pathId ?? query.get("message_id") ?? "";
    const message = max.messages.get(mid);
    if (!message) return method === "GET" ? notFound("not.found") : { json: { success: false, message: "No message" } };
    if (method === "GET") return { json: message };
    if (method === "DELETE") max.messages.delete(mid);
    else Object.assign(message.body, json);
    return SUCCESS;
  }
  return max;
}

function ofChat({ members }: TestMax, { method, query, json }: VendorRequest, rest: string): VendorAnswer | null {
  if (rest === "") return { json: { chat_id: MAX_CHAT, type: "chat", status: "active", title: "Team" } };
  if (rest === "/pin" && method === "PUT" && typeof json.message_id === "string") return SUCCESS;
  if (rest !== "/members") return null;
  if (method === "DELETE") return query.has("user_id") ? SUCCESS : null;
  return paged("members", members, query);
}

/** Returns one page. The marker points to the next page, and the last page has none. */
function paged(name: string, rows: readonly unknown[], query: URLSearchParams): VendorAnswer {
  const from = Number(query.get("marker") ?? 0);
  const next = from + Number(query.get("count") ?? 20);
  return { json: { [name]: rows.slice(from, next), marker: next < rows.length ? next : null } };
}

const SUCCESS: VendorAnswer = { json: { success: true } };
const notFound = (code: string) => refusal(404, code, "Not found");
const refusal = (status: number, code: string, message: string): VendorAnswer => ({ status, json: { code, message } });
