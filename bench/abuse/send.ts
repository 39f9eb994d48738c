import { Agent } from "undici";
import type { Arena } from "#bench/abuse/attack";
import { NO_ANSWER } from "#bench/abuse/tally";

/** The attacker's loopback address. Only Linux has loopback addresses other than 127.0.0.1 without setup. */
export const ATTACKER_ADDRESS = process.platform === "linux" ? "127.0.0.66" : "127.0.0.1";
/** Longer than an attack, so that a hanging server is visible as one. */
const PATIENCE_MS = 180_000;

/** Connects from another address than the victim does, so that the two do not share limits per source. */
const agent = new Agent({
  localAddress: ATTACKER_ADDRESS,
  connections: 256,
  headersTimeout: PATIENCE_MS,
  bodyTimeout: PATIENCE_MS,
});

export interface Sent {
  /** 0 if the connection closed without an answer. */
  status: number;
  body: unknown;
}

interface Request {
  method?: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
  over?: AbortSignal;
}

/** Sends one of the attacker's requests and counts its answer. */
export async function send(
  { url, tally }: Pick<Arena, "url" | "tally">,
  { method = "POST", path, headers = {}, body, over }: Request,
): Promise<Sent> {
  const target = path.startsWith("http") ? path : `${url}${path}`;
  try {
    const { statusCode, body: stream } = await agent.request({
      origin: new URL(target).origin,
      path: target.slice(new URL(target).origin.length),
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(over ? { signal: over } : {}),
    });
    const text = await stream.text();
    const answer = parse(text);
    tally.add([statusCode, codeOf(answer)].filter(Boolean).join(" "));
    return { status: statusCode, body: answer };
  } catch {
    // A request that was interrupted by the end of the attack says nothing about the server.
    if (!over?.aborted) tally.add(NO_ANSWER);
    return { status: 0, body: null };
  }
}

/** Calls a tool the way an agent does. A refusal has the status 200, so it counts under the code in its text. */
export async function callTool(
  arena: Arena,
  name: string,
  given: object,
  over?: AbortSignal,
): Promise<Record<string, unknown> | null> {
  const headers = {
    ...arena.attacker.headers,
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
  };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
  const sent = await send(arena, { path: "/mcp", headers, body: JSON.stringify(message), ...(over ? { over } : {}) });
  return textOf(sent.body);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface Answer {
  code?: unknown;
  error?: { message?: unknown; data?: { code?: unknown } };
  result?: { isError?: boolean; content?: { text?: string }[] };
}

function codeOf(body: unknown): string {
  const answer = (body ?? {}) as Answer;
  if (typeof answer.code === "string") return answer.code;
  if (answer.error) return String(answer.error.data?.code ?? "JSON-RPC error");
  return answer.result?.isError ? String(textOf(body)?.code ?? "refused") : "";
}

function textOf(body: unknown): Record<string, unknown> | null {
  const text = (body as Answer | null)?.result?.content?.[0]?.text;
  return text === undefined ? null : (parse(text) as Record<string, unknown> | null);
}
