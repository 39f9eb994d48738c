import dns from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { Agent, buildConnector, type Dispatcher, request } from "undici";
import { lookUpInTurn, type NameLookup, type NamesInTurn } from "#lib/connectors/look-up-in-turn";
import { isOwnEndpoint } from "#lib/connectors/own-endpoints";
import { attachCredentials } from "#lib/connectors/sdk/attach-credentials";
import { bareHostname, blocked, checkTarget, ownEndpoint, portOf } from "#lib/connectors/sdk/check-target";
import { bodyFailure, connectionFailure, type FailedTarget } from "#lib/connectors/sdk/connection-failure";
import { isAddressAllowed, mayTrace, type OutboundPolicy } from "#lib/connectors/sdk/outbound-policy";
import { readResponseBody } from "#lib/connectors/sdk/read-response-body";
import { redirected } from "#lib/connectors/sdk/redirected";
import { readMailTarget } from "#lib/connectors/vendors/email/mail-address";
import { StepError } from "#lib/contract/run/step-error";
import type { OutgoingRequest, OutgoingResponse, SendRequest } from "#lib/core/engine/outgoing-request";

const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;

export interface OutgoingClient {
  send: SendRequest;
  close(): Promise<void>;
}

/**
 * Creates the client for all outgoing calls of the service. Every address is checked where the socket connects: the
 * guard is part of the lookup itself, so a name cannot resolve to one address for the check and another for the
 * connection. Proxies from the environment are not used. Connections are kept alive and shared by all runs of the
 * process.
 */
export function createOutgoingClient(policy: OutboundPolicy, resolve: NameLookup = lookUp): OutgoingClient {
  const names = lookUpInTurn(resolve);
  const guard = { policy, resolve: names.lookup };
  const failedToConnect: Way["failedToConnect"] = new WeakSet();
  const agent = new Agent({
    connect: notingFailures(connectGuarded(guard), failedToConnect),
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    // All workspaces share these connections. With a bound, calls to one slow service would make every other call to
    // it wait; the worker's slots already bound how many calls are open.
    connections: null,
    pipelining: 1,
  });
  const way: Way = { policy, agent, guard, names, failedToConnect };
  return { send: (outgoing) => send(way, outgoing), close: () => agent.close() };
}

/** Remembers the errors of connecting: after them, and only then, it is certain that nothing was sent. */
function notingFailures(connect: buildConnector.connector, failed: WeakSet<object>): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error === null) return callback(null, socket);
      failed.add(error);
      callback(error, null);
    });
}

/** Resolves names as the machine does. */
const lookUp: NameLookup = (hostname, options, callback) => dns.lookup(hostname, { ...options, all: true }, callback);

interface Guard {
  policy: OutboundPolicy;
  resolve: NameLookup;
}

/**
 * Rejects a name if any of its addresses is forbidden, and otherwise connects to exactly those addresses.
 * @param port the one that will be connected to: a lookup does not know it
 */
function guardedLookup({ policy, resolve }: Guard, port: number): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, options, (error, addresses) => {
      if (error) return callback(error, "", 0);
      const [first] = addresses;
      const forbidden = addresses.find(({ address }) => !isAddressAllowed(policy, address, hostname));
      if (forbidden || !first) return callback(blocked(hostname, forbidden?.address ?? "no address"), "", 0);
      const targets = addresses.map(({ address }) => isOwnEndpoint(policy.own, { address, port }, resolve));
      Promise.all(targets).then(
        (own) => {
          if (own.includes(true)) callback(ownEndpoint(hostname, port), "", 0);
          else if (options.all) callback(null, addresses);
          else callback(null, first.address, first.family);
        },
        (failure: Error) => callback(failure, "", 0),
      );
    });
  };
}

/** Only the ports of the instance need a connector of their own: every other port has nothing to compare with. */
function connectGuarded(guard: Guard): buildConnector.connector {
  const connectorOf = (port: number) =>
    buildConnector({ lookup: guardedLookup(guard, port), timeout: CONNECT_TIMEOUT_MS });
  const usual = connectorOf(0);
  const own = new Map(guard.policy.own.map(({ port }) => [port, connectorOf(port)]));
  return (options, callback) => {
    const port = Number(options.port || (options.protocol === "https:" ? 443 : 80));
    return (own.get(port) ?? usual)(options, callback);
  };
}

/** Checks an address that no lookup will see, because it is not a name. */
async function refuseOwnAddress({ policy, resolve }: Guard, hostname: string, port: number): Promise<void> {
  if (isIP(hostname) === 0) return;
  if (await isOwnEndpoint(policy.own, { address: hostname, port }, resolve)) throw ownEndpoint(hostname, port);
}

interface Way {
  policy: OutboundPolicy;
  agent: Agent;
  guard: Guard;
  names: NamesInTurn;
  failedToConnect: WeakSet<object>;
}

async function send(way: Way, first: OutgoingRequest): Promise<OutgoingResponse> {
  const { policy, guard, names } = way;
  const mailServer = readMailTarget(first);
  if (mailServer) {
    // Loaded on first use, because most processes never connect to a mail server.
    const { sendToMailServer } = await import("#lib/connectors/vendors/email/mail-client");
    const findHost = (host: string) => findAddresses(names, { hostname: host, host }, first);
    await refuseOwnAddress(guard, mailServer.host, mailServer.port);
    const lookup = guardedLookup(guard, mailServer.port);
    return sendToMailServer(mailServer, first, { policy, lookup, findHost });
  }
  let outgoing = first;
  for (let hop = 0; ; hop += 1) {
    const url = checkTarget(policy, outgoing.url);
    await refuseOwnAddress(guard, bareHostname(url), portOf(url));
    await first.onHop?.(url);
    await findAddresses(names, { hostname: bareHostname(url), host: url.host }, outgoing);
    const shown = mayTrace(policy, bareHostname(url)) ? outgoing : withoutTrace(outgoing);
    const response = await sendOnce(way, url, attachCredentials(shown, url, hop > 0));
    const next = redirected(outgoing, response);
    if (!next) return response;
    const most = first.redirectsOnHost ?? MAX_REDIRECTS;
    if (hop === most) throw new StepError("UPSTREAM_ERROR", `${url.host} redirected more than ${most} times`);
    if (first.redirectsOnHost !== undefined && URL.parse(next.url)?.host !== url.host) {
      throw new StepError("address_not_allowed", `${url.host} redirects to another host`);
    }
    outgoing = next;
  }
}

function withoutTrace(outgoing: OutgoingRequest): OutgoingRequest {
  const { traceparent: _, ...headers } = outgoing.headers;
  return { ...outgoing, headers };
}

/** Resolves the name before the request connects, in the turn of its workspace. */
async function findAddresses(names: NamesInTurn, target: FailedTarget, { workspaceId = "", signal }: OutgoingRequest) {
  const { hostname } = target;
  if (isIP(hostname) !== 0 || names.isKnown(hostname)) return;
  try {
    await names.find(hostname, workspaceId, AbortSignal.any([signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)]));
  } catch (error) {
    signal.throwIfAborted();
    throw connectionFailure(target, error, { progress: "connecting", timeoutMs: CONNECT_TIMEOUT_MS });
  }
}

/**
 * Sends one request without following redirects.
 * @param url the URL as the workflow knows it, which errors may name
 */
async function sendOnce(way: Way, url: URL, outgoing: OutgoingRequest): Promise<OutgoingResponse> {
  const { signal } = outgoing;
  signal.throwIfAborted();
  const target = { hostname: bareHostname(url), host: url.host };
  const answer = await request(outgoing.url, {
    dispatcher: way.agent,
    method: outgoing.method as Dispatcher.HttpMethod,
    headers: outgoing.headers,
    body: outgoing.body ?? null,
    signal,
  }).catch((error: object) => {
    signal.throwIfAborted();
    const progress = way.failedToConnect.has(error) ? "connecting" : "sent";
    throw connectionFailure(target, error, { progress, timeoutMs: ANSWER_TIMEOUT_MS });
  });
  const head = { status: answer.statusCode, headers: joined(answer.headers) };
  try {
    return { ...head, body: await readBody(answer.body, head, outgoing) };
  } catch (error) {
    signal.throwIfAborted();
    if ((error as { code?: unknown }).code === "UND_ERR_BODY_TIMEOUT") {
      throw connectionFailure(target, error, { progress: "sent", timeoutMs: ANSWER_TIMEOUT_MS });
    }
    throw bodyFailure(target, head.status, error);
  }
}

/**
 * The status of a failure counts, however its body ends. A stream of events that breaks can be continued by the caller,
 * who reads what has arrived.
 */
async function readBody(
  body: Readable,
  head: Omit<OutgoingResponse, "body">,
  outgoing: OutgoingRequest,
): Promise<Buffer> {
  const isComplete = outgoing.readUntil?.(head) ?? null;
  const encoding = head.headers["content-encoding"];
  const mayEndEarly = head.status >= 400 ? "anyhow" : isComplete ? "cut" : null;
  const read = await readResponseBody(body, { encoding, isComplete, mayEndEarly, ...outgoing });
  outgoing.signal.throwIfAborted();
  return read;
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    // RFC 9110, 5.3: a cookie can contain a comma, so cookies are the one header that commas can't join.
    Array.isArray(value) ? value.join(name === "set-cookie" ? "\n" : ", ") : value,
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, string>;
}
