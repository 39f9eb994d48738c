import {
  type AuthInfo,
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { admit, rateLimitHeaders, retryAfterOf } from "#lib/api/admission/admit";
import { toApiError } from "#lib/api/admission/error-response";
import { measureRequest } from "#lib/api/admission/measure-request";
import { assertDeclaredSize, readBody } from "#lib/api/admission/read-body";
import type { McpExchange } from "#lib/api/mcp/mcp-exchange";
import { findMessageFault, type McpMessage, readMessage } from "#lib/api/mcp/mcp-message";
import { answerPlainCall, type PlainCall, readPlainCall } from "#lib/api/mcp/mcp-plain-call";
import { refuse, rpcFailure } from "#lib/api/mcp/mcp-results";
import { buildMcpServer, callByName } from "#lib/api/mcp/mcp-server";
import { describeTools, readAnswerView, readToolSet } from "#lib/api/mcp/mcp-tools";
import { readTypedActions } from "#lib/api/mcp/mcp-typed-tools";
import type { RequestContext } from "#lib/api/operations/define/caller";
import { noteRequest, type Operation } from "#lib/api/operations/define/define-operation";
import { findUnknownFields } from "#lib/api/operations/define/find-unknown-fields";
import { readTracing } from "#lib/api/rest/rest-route";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { repeatedName } from "#lib/core/input/parse-json";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { noteRequestId } from "#lib/platform/telemetry/telemetry";
import type { PathInJson } from "#lib/support/exact-json";
import { uuidv7 } from "#lib/support/ids";

/**
 * The most streams per process that wait for changes of the tool list. The list never changes, so no client needs many.
 */
const MAX_SUBSCRIPTIONS = 64;

/** Creates the protocol server that answers one request. */
type BuildServer = (exchange: McpExchange) => Server;
/** Makes a call without one. Returns null for a tool that only the server knows. */
type CallTool = (call: PlainCall, exchange: McpExchange) => Promise<CallToolResult | null>;
type ServeMcp = (given: {
  message: McpMessage;
  plain: PlainCall | null;
  request: Request;
  exchange: McpExchange;
}) => Promise<Response>;

/**
 * Serves `/mcp` for the operations that are bound to MCP (contract, Endpoints). It is stateless, takes one message
 * per request, answers in JSON, and supports both eras of the protocol: clients that start with `initialize`, and
 * clients of revision 2026-07-28, which do not.
 */
export function mcpRoute(operations: readonly Operation[]): (request: Request) => Promise<Response> {
  const tools = describeTools(operations);
  return mcpEdge(
    (exchange) => buildMcpServer(tools, exchange),
    (call, exchange) => callByName(tools, call, exchange),
  );
}

/** Adds what every MCP server needs: keys, limits, sizes, origins and both eras of the protocol. */
export function mcpEdge(
  build: BuildServer,
  call: CallTool = async () => null,
): (request: Request) => Promise<Response> {
  const serve = serveBothEras(build, call);
  return async (request) => {
    if (request.method !== "POST") return methodNotAllowed();
    const url = new URL(request.url);
    return measureRequest(request, url.pathname, async () => {
      const requestId = uuidv7();
      noteRequestId(requestId);
      const headers = { "cache-control": "no-store", "x-request-id": requestId };
      const response = await answer({ request, url, requestId, headers }, serve);
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    });
  };
}

interface McpRequest {
  request: Request;
  url: URL;
  requestId: string;
  /** Headers of the answer; authenticated requests add to them. */
  headers: Record<string, string>;
}

/** Checks origin, size, key and rate limit, then runs the protocol (decisions, Runs: order of checks). */
async function answer({ request, url, requestId, headers }: McpRequest, serve: ServeMcp): Promise<Response> {
  let message: McpMessage | null = null;
  try {
    if (!isAllowedOrigin(request.headers.get("origin"))) {
      throw new ApiError(
        "FORBIDDEN",
        "Pages of this origin cannot call the MCP endpoint. Call it from a server or from this site.",
      );
    }
    assertDeclaredSize(request);
    const { caller, window } = await admit(request.headers).catch(async (refusal: unknown) => {
      message = await readRefusedMessage(request);
      throw refusal;
    });
    message = readMessage(await readBody(request), request.headers);
    Object.assign(headers, rateLimitHeaders(window));
    if (!window.isAllowed) {
      const { retryAfterSeconds } = window;
      return refuse(message, new ApiError("RATE_LIMIT_EXCEEDED", "Rate limit exceeded", { retryAfterSeconds }), 200);
    }
    noteRequest(caller, "mcp");
    if (message.repeated) return refuseRepeated(message, message.repeated);
    const plain = readPlainCall(message, request.headers);
    // The revision without a handshake defines HTTP statuses for these faults; the SDK answers them.
    const fault = plain || message.isModern ? null : findMessageFault(message);
    if (fault) return rpcFailure(message, 200, fault.code, fault.text);
    const { searchParams: query } = url;
    const exchange: McpExchange = {
      caller,
      context: { ...contextOf(request.headers, requestId), window },
      typedActions: readTypedActions(query),
      toolSet: readToolSet(query),
      view: readAnswerView(query),
    };
    const response = await serve({ message, plain, request, exchange });
    Object.assign(headers, exchange.context.answerHeaders);
    if (exchange.retryAfterSeconds) headers["retry-after"] = String(exchange.retryAfterSeconds);
    return response;
  } catch (thrown) {
    const error = toApiError(thrown, requestId);
    const wait = retryAfterOf(error);
    if (wait !== undefined) headers["retry-after"] = String(wait);
    return refuse(message, error);
  }
}

/** Refuses a message with an object that has a name twice. In the arguments, it is a fault of the call like any other. */
function refuseRepeated(message: McpMessage, path: PathInJson): Response {
  const [params, args, ...inside] = path;
  if (params === "params" && args === "arguments" && inside.length > 0)
    return refuse(message, repeatedName(inside), 200);
  const text = `Invalid Request: ${repeatedName(path).message}`;
  return rpcFailure(message, message.isModern ? 400 : 200, -32600, text);
}

/**
 * Reads the message of a caller whose key was refused: a tool call gets the refusal as its result. Only a small body is
 * read, because anyone can send one.
 * @returns null if it is larger, or unreadable
 */
async function readRefusedMessage(request: Request): Promise<McpMessage | null> {
  const body = await readBody(request, LIMITS.refusedBodyBytes).catch(() => null);
  return body && readMessage(body, request.headers);
}

function serveBothEras(build: BuildServer, call: CallTool): ServeMcp {
  const modern = createMcpHandler(({ authInfo }) => build(exchangeOf(authInfo)), {
    legacy: "reject",
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) => log.debug({ err: error }, "an MCP request was refused"),
  });
  return async ({ message, plain, request, exchange }) => {
    const called = plain && (await call(plain, exchange));
    if (called) return answerPlainCall(message, called);
    const { body } = message;
    const normal = normalize(request);
    // Passes the exchange to the handlers in the SDK's field for authentication. The key itself does not leave this
    // file.
    const authInfo: AuthInfo = { token: "", clientId: exchange.caller.keyId, scopes: [], extra: { exchange } };
    if (!(await isLegacyRequest(normal, body))) return modern.fetch(normal, { authInfo, parsedBody: body });
    const server = build(exchange);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(normal, { authInfo, parsedBody: body });
    } finally {
      await server.close();
    }
  };
}

/**
 * Reads tracing headers like REST, except the idempotency key, which is an argument here (decisions, MCP): a client
 * sends its configured headers with every call, so one constant key would turn all calls into one run.
 */
function contextOf(headers: Headers, requestId: string): RequestContext {
  const { idempotencyKey: _, ...tracing } = readTracing(headers);
  return { requestId, findUnknownFields, ...tracing };
}

function exchangeOf(authInfo: AuthInfo | undefined): McpExchange {
  return authInfo?.extra?.exchange as McpExchange;
}

/**
 * The SDK refuses a request without both media types in Accept and JSON in Content-Type. The contract requires neither.
 */
function normalize(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  headers.set("content-type", "application/json");
  headers.delete("content-length");
  headers.delete("authorization");
  return new Request(request.url, { method: "POST", headers, signal: request.signal });
}

/** There is no stream to open with GET and no session to end with DELETE. */
function methodNotAllowed(): Response {
  const error = new ApiError("METHOD_NOT_ALLOWED", "Use POST.");
  const headers = { allow: "POST", "cache-control": "no-store", "x-request-id": uuidv7() };
  return Response.json(error.toBody(), { status: error.status, headers });
}

const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether a page of this origin may call the MCP endpoint (MCP specification, DNS rebinding): our own pages, and tools
 * on the user's own machine. Clients that are not browsers send no Origin.
 */
export function isAllowedOrigin(origin: string | null): boolean {
  if (!origin) return true;
  // The literal "null" of an opaque page is not a URL either.
  const url = URL.parse(origin);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return LOCAL_HOSTS.has(url.hostname) || url.origin === new URL(env().PUBLIC_BASE_URL).origin;
}
