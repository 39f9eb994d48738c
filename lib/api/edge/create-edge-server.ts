import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { sourceOf } from "#lib/api/admission/client-address";
import { answerDirectly, findDirectRequest } from "#lib/api/edge/answer-directly";
import { checkRequestTarget, knownHosts } from "#lib/api/edge/check-request-target";
import { DIRECT_METHODS } from "#lib/api/edge/direct-routes";
import { identifyClient } from "#lib/api/edge/identify-client";
import {
  endUnreadBody,
  methodNotKnown,
  refuseMessage,
  refuseMethod,
  refuseRequest,
} from "#lib/api/edge/refuse-request";
import { addPagePolicy, commonSecurityHeaders } from "#lib/api/edge/security-headers";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { isInNetworks, isLoopbackAddress, type NetworkList, parseAddress } from "#lib/platform/config/network-list";

type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

interface EdgeOptions {
  isDevelopment?: boolean;
}

/**
 * Creates the HTTP server in front of the application. It does what route handlers cannot, because they see neither the
 * socket nor the requests that Next.js answers itself: it determines the client's address, refuses requests for other
 * hosts and URLs that cannot be decoded, limits the time that a request may take to arrive, and adds the security
 * headers to every answer. Requests of programs it answers itself (direct-routes.ts); `handle` answers the others.
 */
export function createEdgeServer(handle: Handle, { isDevelopment = false }: EdgeOptions = {}): Server {
  const { PUBLIC_BASE_URL, WEBHOOK_BASE_URL, ALLOWED_HOSTS, TRUSTED_PROXIES } = env();
  const hosts = knownHosts([PUBLIC_BASE_URL, WEBHOOK_BASE_URL], ALLOWED_HOSTS);
  const headers = commonSecurityHeaders(PUBLIC_BASE_URL.startsWith("https:"));
  const timeouts = {
    headersTimeout: LIMITS.requestHeadersMs,
    requestTimeout: LIMITS.requestArrivalMs,
    connectionsCheckingInterval: LIMITS.arrivalCheckMs,
    // A missing host is refused below, with our headers.
    requireHostHeader: false,
  };
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    for (const [name, value] of headers) outgoing.setHeader(name, value);
    endUnreadBody(incoming, outgoing);
    outgoing.flushHeaders = leaveToBody;
    try {
      assertReadable(incoming);
      assertKnownMethod(incoming.method, outgoing);
      incoming.url = checkRequestTarget(incoming.url ?? "", incoming.headersDistinct.host ?? [], hosts);
    } catch (error) {
      refuseRequest(outgoing, error as ApiError);
      return;
    }
    identifyClient(incoming, TRUSTED_PROXIES);
    addPagePolicy(incoming, outgoing, isDevelopment);
    // `next dev` compiles a route when it is requested.
    const direct = isDevelopment ? null : findDirectRequest(incoming, PUBLIC_BASE_URL);
    const answered = direct ? answerDirectly(direct, incoming, outgoing) : handle(incoming, outgoing);
    answered.catch((error: unknown) => fail(outgoing, error));
  };
  const server = createServer(timeouts, answer);
  // By default, Node leaves out the headers after the first 2,000 without a word.
  server.maxHeadersCount = 0;
  // An expectation that no one knows may be ignored (RFC 9110, 10.1.1). Node would answer 417 without a body.
  server.on("checkExpectation", answer);
  limitConnections(server, TRUSTED_PROXIES);
  // Without a listener, Node closes the connection without an answer.
  server.on("connect", (_incoming, socket) => refuseMethod(socket as Socket, headers));
  server.on("clientError", (error, socket) =>
    refuseMessage(error, socket as Parameters<typeof refuseMessage>[1], headers),
  );
  return server;
}

/**
 * Node also reads HTTP/0.9, which has no headers and no status, and headers that have no characters to count.
 * @throws ApiError BAD_REQUEST
 */
function assertReadable({ httpVersion, rawHeaders }: IncomingMessage): void {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") throw new ApiError("BAD_REQUEST", "Use HTTP/1.1.");
  if (rawHeaders.length > 2 * LIMITS.requestHeaders) {
    throw new ApiError("BAD_REQUEST", `The request has more than ${LIMITS.requestHeaders} headers.`);
  }
}

/**
 * Next.js answers TRACE with a redirect, and others with an empty body. TRACE would repeat the headers of a request, with
 * its cookies, to a page of another site (RFC 9110, 9.3.8).
 * @throws ApiError METHOD_NOT_ALLOWED
 */
function assertKnownMethod(method: string | undefined, outgoing: ServerResponse): void {
  if (DIRECT_METHODS.some((known) => known === method)) return;
  outgoing.setHeader("allow", DIRECT_METHODS.join(", "));
  throw methodNotKnown();
}

/**
 * Next.js flushes the headers of an answer and writes the first part of its body right after that: two system calls and
 * two packets. A write sends the headers as well.
 */
function leaveToBody(): void {}

function fail(outgoing: ServerResponse, error: unknown): void {
  // The client has gone, and its body ended with it.
  if (outgoing.destroyed) return;
  log.error({ err: error }, "a request failed");
  if (outgoing.headersSent) outgoing.destroy();
  else refuseRequest(outgoing, new ApiError("INTERNAL_ERROR", "An unexpected error occurred on our side."));
}

/**
 * Closes connections above the limit of their source. Trusted proxies and this machine have none: one connection of
 * theirs can carry any client.
 */
export function limitConnections(server: Pick<Server, "on">, trusted: NetworkList): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const peer = parseAddress(socket.remoteAddress ?? "");
    if (peer === null || isLoopbackAddress(peer) || isInNetworks(peer, trusted)) return;
    const source = sourceOf(peer.toString());
    const others = open.get(source) ?? 0;
    if (others >= LIMITS.connectionsPerSource) {
      socket.destroy();
      return;
    }
    open.set(source, others + 1);
    socket.once("close", () => {
      const left = (open.get(source) ?? 1) - 1;
      if (left > 0) open.set(source, left);
      else open.delete(source);
    });
  });
}
