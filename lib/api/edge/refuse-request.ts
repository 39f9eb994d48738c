import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ApiError } from "#lib/contract/api-error";
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

/**
 * Answers what is not HTTP, or does not arrive in time, as Node does, with our headers.
 * @param headers of every answer
 */
export function refuseMessage(error: Error, socket: Socket, headers: readonly [string, string][]): void {
  const status = PARSER_STATUS[String((error as NodeJS.ErrnoException).code)] ?? 400;
  // An answer that has started cannot become another one.
  const isFresh = socket.writable && socket.bytesWritten === 0;
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, "connection: close", "content-length: 0"];
  const all = [...lines, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (isFresh) socket.write(`${all.join("\r\n")}\r\n\r\n`);
  socket.destroy(error);
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
