import { type IncomingMessage, maxHeaderSize, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { DIRECT_METHODS } from "#lib/api/edge/direct-routes";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { uuidv7 } from "#lib/support/ids";

/** Answers a request that does not reach a route, in the shape of the contract's errors. */
export function refuseRequest(outgoing: ServerResponse, error: ApiError): void {
  outgoing.statusCode = error.status;
  outgoing.setHeader("cache-control", "no-store");
  outgoing.setHeader("content-type", "application/json");
  outgoing.setHeader("x-request-id", uuidv7());
  outgoing.end(JSON.stringify(error.toBody()));
}

const PARSER_STATUS: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

const PARSER_MESSAGES: Readonly<Record<number, string>> = {
  400: "The request is not valid HTTP.",
  408: "The request did not arrive in time. Send it again.",
  413: "The request is too large.",
  431: `The address and the headers of the request are larger than ${maxHeaderSize / 1_024} KiB.`,
};

/** A request line whose only fault is its method: the parser knows only registered ones. */
const OTHER_METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r?\n/;

/**
 * Answers what is not HTTP, or does not arrive in time, in the shape of the contract's errors.
 * @param headers of every answer
 */
export function refuseMessage(error: Error, socket: Socket, headers: readonly [string, string][]): void {
  // What arrives after a refusal is not HTTP, either.
  if (!socket.writable) return;
  const { code, rawPacket } = error as NodeJS.ErrnoException & { rawPacket?: Buffer };
  const start = rawPacket?.toString("latin1", 0, 8_192) ?? "";
  if (code === "HPE_INVALID_METHOD" && OTHER_METHOD.test(start)) refuseMethod(socket, headers);
  else {
    const status = PARSER_STATUS[String(code)] ?? 400;
    const message = PARSER_MESSAGES[status] ?? "";
    const body = new ApiError(status === 413 ? "PAYLOAD_TOO_LARGE" : "BAD_REQUEST", message).toBody();
    writeRefusal(socket, { status, headers, body });
  }
  // A client that was too slow sends nothing that is worth waiting for.
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") socket.destroy(error);
  else endUnreadRequest(socket);
}

/**
 * Ends a connection whose client may still be sending its request. Closing it at once would discard the answer before the
 * client reads it (RFC 9112, 9.6), so the rest is read and dropped for a while.
 */
function endUnreadRequest(socket: Socket): void {
  socket.end();
  // Instead of Node's parser, which has given up.
  socket.removeAllListeners("data");
  socket.on("data", () => {}).resume();
  const timer = setTimeout(() => socket.destroy(), LIMITS.unreadBodyMs);
  socket.once("close", () => clearTimeout(timer));
}

/** Answers a request with a method that no path supports. */
export function refuseMethod(socket: Socket, headers: readonly [string, string][]): void {
  const { status, body } = { status: 405, body: methodNotKnown().toBody() };
  writeRefusal(socket, { status, headers: [["allow", DIRECT_METHODS.join(", ")], ...headers], body });
  socket.end();
}

export function methodNotKnown(): ApiError {
  return new ApiError("METHOD_NOT_ALLOWED", `Use one of these methods: ${DIRECT_METHODS.join(", ")}.`);
}

interface Refusal {
  status: number;
  headers: readonly [string, string][];
  body: object;
}

/** Writes an answer to a request that Node has not parsed, unless one has started: it cannot become another one. */
function writeRefusal(socket: Socket, { status, headers, body }: Refusal): void {
  if (!socket.writable || socket.bytesWritten > 0) return;
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "connection: close",
    "content-type: application/json",
    "cache-control: no-store",
    `x-request-id: ${uuidv7()}`,
    `content-length: ${Buffer.byteLength(text)}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n${text}`);
}

/**
 * Ends a connection whose client continues to send a body after the answer. Node reads and drops the rest, so that the
 * client sees the answer and can reuse the connection; without an end, it would read for as long as the client likes.
 */
export function endUnreadBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { headers } = incoming;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return;
  outgoing.once("finish", () => {
    if (incoming.complete) return;
    const timer = setTimeout(() => incoming.complete || incoming.socket.destroy(), LIMITS.unreadBodyMs);
    incoming.socket.once("close", () => clearTimeout(timer));
  });
}
