import { pauseFor } from "#lib/connectors/mcp/pause-for";
import type { RpcMessage } from "#lib/connectors/mcp/protocol";
import { LEGACY_VERSION, type McpSession, MODERN_VERSION, modernMeta, RPC_CODES } from "#lib/connectors/mcp/protocol";
import {
  isEventStream,
  parseMessage,
  readMessages,
  readServerEvents,
  type StreamPosition,
} from "#lib/connectors/mcp/read-messages";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import type { OperationContext } from "#lib/core/engine/ports";
import { uuidv7 } from "#lib/support/ids";
import { isJsonObject } from "#lib/support/json";

/** The server of a connection, and what to do when it reports that its tools have changed. */
export interface McpService extends ServiceContext {
  onToolsChanged?: (() => void) | undefined;
  noteNumber?: OperationContext["noteNumber"];
}

export interface McpRequest {
  method: string;
  params?: JsonObject;
  /** Headers in addition to those of the protocol. */
  headers?: Readonly<Record<string, string>>;
}

export interface McpAnswer {
  response: OutgoingResponse;
  /** The message that answers the request; null if the response contains none. */
  reply: RpcMessage | null;
}

/** A server may redirect `/mcp` to `/mcp/`, but never to another host, which must not get the arguments of a tool. */
const REDIRECTS_ON_HOST = 3;
/** The parameter that the header `Mcp-Name` repeats, by method. */
const NAMED_BY: Record<string, string> = { "tools/call": "name", "tasks/get": "taskId", "tasks/result": "taskId" };

/**
 * Sends one request and reads until its reply arrives, in JSON or in a stream of events that may stay open. What the
 * server asks meanwhile is answered: we are alive, and offer nothing else.
 * @param session null for the requests that open one
 * @throws StepError if there was no response
 */
export async function sendMessage(
  service: McpService,
  session: McpSession | null,
  { method, params = {}, headers = {} }: McpRequest,
  era: McpSession["era"] = session?.era ?? "legacy",
): Promise<McpAnswer> {
  const id = uuidv7();
  const message = { jsonrpc: "2.0", id, method, params: era === "modern" ? withEnvelope(params) : params };
  const hear = (heard: RpcMessage): boolean => {
    if (heard.method === "notifications/tools/list_changed") service.onToolsChanged?.();
    if (heard.method !== undefined && heard.id !== undefined) void answerServer(service, session, heard);
    return isReply(heard, id);
  };
  const response = await post(service, message, { ...protocolHeaders(era, session, method, params), ...headers }, hear);
  const position: StreamPosition = { lastEventId: null, retryMs: null };
  const reply = readMessages(response, position).find((heard) => isReply(heard, id)) ?? null;
  if (reply || !isEventStream(response.headers)) return { response, reply };
  return {
    response,
    reply: await resumeStream(service, session, { position, hear, isReply: (heard) => isReply(heard, id) }),
  };
}

/** The most requests for the rest of a stream. A server that closes it at once asks for a wait in between. */
const RESUMES_MAX = 100;
const RESUME_MS = 1_000;
const RESUME_MIN_MS = 100;

interface Resumption {
  position: StreamPosition;
  hear: (heard: RpcMessage) => boolean;
  isReply: (heard: RpcMessage) => boolean;
}

/**
 * Continues a stream that ended before the reply, as often as its server closes it: a GET names the last event that
 * arrived (MCP, Streamable HTTP, Resumability and redelivery).
 * @returns null if the stream can't be continued: it has no event id, or the server knows none
 */
async function resumeStream(
  service: McpService,
  session: McpSession | null,
  { position, hear, isReply: isWanted }: Resumption,
): Promise<RpcMessage | null> {
  for (let resumes = 0; resumes < RESUMES_MAX && position.lastEventId; resumes += 1) {
    await pauseFor(Math.max(RESUME_MIN_MS, position.retryMs ?? RESUME_MS), service.signal);
    const headers = {
      ...service.headers,
      ...protocolHeaders("legacy", session, "", {}),
      accept: "text/event-stream",
      "last-event-id": headerValue(position.lastEventId),
    };
    const response = await service.send({
      method: "GET",
      url: urlOf(service),
      headers,
      signal: service.signal,
      redirectsOnHost: REDIRECTS_ON_HOST,
      readUntil: (head) => (isEventStream(head.headers) ? untilReply(hear) : null),
    });
    if (response.status >= 400 || !isEventStream(response.headers)) return null;
    const reply = readMessages(response, position).find(isWanted);
    if (reply) return reply;
  }
  return null;
}

/** Sends a message that has no reply. */
export async function notify(service: McpService, session: McpSession, method: string): Promise<void> {
  await post(service, { jsonrpc: "2.0", method }, protocolHeaders("legacy", session, method, {}), () => false);
}

/** Ends a session that is not needed any more. A server that does not support this says so, which changes nothing. */
export async function endSession(service: McpService, session: McpSession): Promise<void> {
  if (session.sessionId === null) return;
  const headers = protocolHeaders("legacy", session, "", {});
  const request = { method: "DELETE", url: urlOf(service), headers, signal: service.signal };
  await service.send({ ...request, redirectsOnHost: REDIRECTS_ON_HOST }).catch(() => undefined);
}

export function urlOf({ settings }: ServiceContext): string {
  const { server_url: url } = settings;
  if (url === undefined) throw new Error("The connection has no address of a server.");
  return url;
}

function post(
  service: McpService,
  message: JsonObject,
  headers: Readonly<Record<string, string>>,
  hear: (heard: RpcMessage) => boolean,
): Promise<OutgoingResponse> {
  return service.send({
    method: "POST",
    url: urlOf(service),
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...service.headers,
      ...headers,
    },
    body: JSON.stringify(message),
    signal: service.signal,
    redirectsOnHost: REDIRECTS_ON_HOST,
    readUntil: (head) => (isEventStream(head.headers) ? untilReply(hear) : null),
  });
}

/** Reads a stream until the reply: some servers keep it open for what may happen later. */
function untilReply(hear: (heard: RpcMessage) => boolean): (part: Buffer) => boolean {
  let isComplete = false;
  const read = readServerEvents((data) => {
    if (!isComplete) isComplete = parseMessage(data).some(hear);
  });
  return (part) => {
    read(part);
    return isComplete;
  };
}

function isReply({ id, method, result, error }: RpcMessage, asked: string): boolean {
  if (method !== undefined || (result === undefined && error === undefined)) return false;
  // A server that cannot read a request, or what is in front of it, answers it without its id.
  return id === asked || ((id === null || id === undefined) && error !== undefined);
}

/** Answers a request of the server. A workflow has no model, no files and no person to offer, so all but `ping` are refused. */
async function answerServer(
  service: McpService,
  session: McpSession | null,
  { id, method }: RpcMessage,
): Promise<void> {
  const message = `Signalbox does not support ${method}: no one is there to answer while a workflow runs`;
  const outcome = method === "ping" ? { result: {} } : { error: { code: RPC_CODES.methodNotFound, message: message } };
  const headers = protocolHeaders("legacy", session, "", {});
  // The tool fails on the server if this does not arrive, and its own reply says so.
  await post(service, { jsonrpc: "2.0", id, ...outcome }, headers, () => false).catch(() => undefined);
}

function protocolHeaders(era: McpSession["era"], session: McpSession | null, method: string, params: JsonObject) {
  if (era === "modern") {
    const name = params[NAMED_BY[method] ?? ""];
    return {
      "mcp-protocol-version": MODERN_VERSION,
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": headerValue(name) } : {}),
    };
  }
  return {
    "mcp-protocol-version": session?.server.protocol ?? LEGACY_VERSION,
    ...(session?.sessionId ? { "mcp-session-id": session.sessionId } : {}),
  };
}

/** Writes a value of the protocol into a header: as it is, or in base64 if a header could not carry it. */
export function headerValue(text: string): string {
  const isPlain = /^[\t\x20-\x7e]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}

function withEnvelope(params: JsonObject): JsonObject {
  return { ...params, _meta: { ...(isJsonObject(params._meta) ? params._meta : {}), ...modernMeta() } };
}
