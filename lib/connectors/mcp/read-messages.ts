import { z } from "zod";
import type { RpcError, RpcMessage } from "#lib/connectors/mcp/protocol";
import { StepError } from "#lib/contract/run/step-error";
import { jsonObjectSchema } from "#lib/contract/wire/wire-values";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { parseKeepingDigits } from "#lib/support/exact-json";
import { isJsonObject } from "#lib/support/json";
import { describeJsonExcess, findJsonExcess } from "#lib/support/scan-json";

const CODE_CHARACTERS = 100;

const messageSchema = z.object({
  id: z.unknown().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: jsonObjectSchema.optional(),
  error: z.unknown().optional(),
});

function readMessage(given: unknown): RpcMessage[] {
  const { success, data } = messageSchema.safeParse(given);
  if (!success) return [];
  const { error: told, ...message } = data;
  const error = isEmptyError(told, message.result !== undefined) ? undefined : readError(told);
  return [error === undefined ? message : { ...message, error }];
}

/** Some servers write an error without words next to every result. */
function isEmptyError(error: unknown, hasResult: boolean): boolean {
  if (error === undefined || error === null || error === false || error === "") return true;
  if (!hasResult || !isJsonObject(error)) return false;
  const { code, message, data } = error;
  return (code ?? 0) === 0 && (message ?? "") === "" && (data ?? null) === null;
}

/** Keeps the server's words, in whatever form it says that a request failed. */
function readError(given: unknown): RpcError {
  if (!isJsonObject(given)) return { code: "unknown", message: wordsOf(given) };
  const { code, message, data } = given;
  const told = message ?? given.detail ?? given.description ?? given.error ?? data ?? given;
  return {
    code: readCode(code),
    message: wordsOf(told),
    ...(data === undefined ? {} : { data }),
  };
}

function readCode(code: unknown): number | string {
  if (typeof code === "number") return code;
  if (typeof code !== "string" || code.trim() === "") return "unknown";
  return /^-?\d{1,9}$/.test(code.trim()) ? Number(code) : code.trim().slice(0, CODE_CHARACTERS);
}

function wordsOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function isEventStream(headers: OutgoingResponse["headers"]): boolean {
  return /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
}

/** Where a stream can be continued (HTML, Server-sent events): after which event, and when. */
export interface StreamPosition {
  lastEventId: string | null;
  retryMs: number | null;
}

/**
 * Returns the messages of a complete response: JSON, or the events of a stream.
 * @param position gets the last event id and the wait of a stream
 * @throws StepError UPSTREAM_ERROR for what is not JSON, VALIDATION_ERROR for what is too large
 */
export function readMessages(
  { headers, body, onLongNumber }: OutgoingResponse,
  position?: StreamPosition,
): RpcMessage[] {
  if (!isEventStream(headers)) return parseMessage(body.toString("utf8"), onLongNumber);
  const messages: RpcMessage[] = [];
  const read = readServerEvents((data) => messages.push(...parseMessage(data, onLongNumber)), position);
  read(body);
  // A stream that ends without an empty line has no further event, but some servers forget it.
  read(Buffer.from("\n\n"));
  return messages;
}

/**
 * Reads a message, or a batch of them, which the revision 2025-03-26 allows.
 * @returns no message for text that is none, such as a comment or the page of a proxy
 */
export function parseMessage(text: string, onLongNumber?: OutgoingResponse["onLongNumber"]): RpcMessage[] {
  const json = text.replace(/^\uFEFF/, "").trimStart();
  // Some streams end with `[DONE]`, which is no batch.
  if (!/^(?:\{|\[\s*[{\]])/.test(json)) return [];
  const excess = findJsonExcess(text);
  if (excess !== null) throw new StepError("data_too_large", `The response ${describeJsonExcess(excess)}`);
  let value: unknown;
  try {
    value = parseKeepingDigits(json, onLongNumber);
  } catch (cause) {
    throw new StepError("answer_unreadable", "The MCP server sent a message that isn't valid JSON", { cause });
  }
  return (Array.isArray(value) ? value : [value]).flatMap(readMessage);
}

/**
 * Reads server-sent events part by part, each character once: the lines of a message of 10 MiB arrive in hundreds of
 * parts.
 */
export function readServerEvents(
  onData: (data: string, type: string) => void,
  position: StreamPosition = { lastEventId: null, retryMs: null },
): (part: Buffer) => void {
  const decoder = new TextDecoder();
  let unfinished: string[] = [];
  let endsWithCr = false;
  let data: string[] = [];
  let type = "";
  let id: string | null = null;
  const readLine = (line: string) => {
    if (line !== "") {
      const [, name = "", value = ""] = /^(data|id|event|retry)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === "data") data.push(value);
      if (name === "event") type = value;
      if (name === "id" && !value.includes("\0")) id = value;
      if (name === "retry" && /^\d{1,9}$/.test(value)) position.retryMs = Number(value);
      return;
    }
    // An event without data is not dispatched, but its id counts.
    position.lastEventId = id ?? position.lastEventId;
    const event = { data: data.join("\n"), type, isEmpty: data.length === 0 };
    [data, type, id] = [[], "", null];
    if (!event.isEmpty) onData(event.data, event.type);
  };
  return (part) => {
    const decoded = decoder.decode(part, { stream: true });
    if (decoded === "") return;
    // A line ends with CR, LF, or both, which can arrive in two parts.
    const text = endsWithCr && decoded.startsWith("\n") ? decoded.slice(1) : decoded;
    endsWithCr = decoded.endsWith("\r");
    if (!/[\r\n]/.test(text)) {
      unfinished.push(text);
      return;
    }
    const lines = (unfinished.join("") + text).split(/\r\n|\n|\r/);
    unfinished = [lines.pop() ?? ""];
    for (const line of lines) readLine(line);
  };
}
