import { z } from "zod";
import type { RpcMessage } from "#lib/connectors/mcp/protocol";
import { jsonObjectSchema } from "#lib/contract/schemas/wire-values";
import { StepError } from "#lib/contract/step-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { describeJsonExcess, findJsonExcess } from "#lib/support/scan-json";

const messageSchema: z.ZodType<RpcMessage> = z.object({
  id: z.unknown().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: jsonObjectSchema.optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});

export function isEventStream(headers: OutgoingResponse["headers"]): boolean {
  return /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
}

/**
 * Returns the messages of a complete response: one as JSON, or the events of a stream.
 * @throws StepError UPSTREAM_ERROR for what is not JSON, VALIDATION_ERROR for what is too large
 */
export function readMessages({ headers, body }: OutgoingResponse): RpcMessage[] {
  if (!isEventStream(headers)) return parseMessage(body.toString("utf8"));
  const messages: RpcMessage[] = [];
  const read = readServerEvents((data) => messages.push(...parseMessage(data)));
  read(body);
  // A stream that ends without an empty line has no further event, but some servers forget it.
  read(Buffer.from("\n\n"));
  return messages;
}

/** @returns no message for text that is none, such as a comment or the page of a proxy */
export function parseMessage(text: string): RpcMessage[] {
  if (!text.trimStart().startsWith("{")) return [];
  const excess = findJsonExcess(text);
  if (excess !== null) throw new StepError("data_too_large", `The response ${describeJsonExcess(excess)}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new StepError("answer_unreadable", "The MCP server sent a message that isn't valid JSON", { cause });
  }
  const message = messageSchema.safeParse(value).data;
  return message === undefined ? [] : [message];
}

/**
 * Reads server-sent events part by part, each character once: the lines of a message of 10 MiB arrive in hundreds of
 * parts.
 */
export function readServerEvents(onData: (data: string) => void): (part: Buffer) => void {
  const decoder = new TextDecoder();
  let unfinished: string[] = [];
  let data: string[] = [];
  const readLine = (line: string) => {
    if (line.startsWith("data:")) data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
    if (line !== "" || data.length === 0) return;
    const event = data.join("\n");
    data = [];
    onData(event);
  };
  return (part) => {
    const text = decoder.decode(part, { stream: true });
    if (!text.includes("\n")) {
      unfinished.push(text);
      return;
    }
    const lines = (unfinished.join("") + text).split("\n");
    unfinished = [lines.pop() ?? ""];
    for (const line of lines) readLine(line.endsWith("\r") ? line.slice(0, -1) : line);
  };
}
