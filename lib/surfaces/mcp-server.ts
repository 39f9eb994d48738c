import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { JsonObject } from "#lib/contract/json-schema";
import type { KeyCaller, RequestContext } from "#lib/operations/caller";
import { authorize, invoke } from "#lib/operations/define-operation";
import { assertStorable } from "#lib/surfaces/assert-storable";
import { toApiError } from "#lib/surfaces/error-response";
import { decodeArguments } from "#lib/surfaces/mcp-arguments";
import { findHint } from "#lib/surfaces/mcp-hints";
import { toolFailure, toolSuccess } from "#lib/surfaces/mcp-results";
import { describeServer, type McpTool } from "#lib/surfaces/mcp-tools";

/** Who asks, and what the answer must carry besides the protocol's own. */
export interface McpExchange {
  caller: KeyCaller;
  context: RequestContext;
  /** Set by a tool that answered 429 or 503, for the `retry-after` header. */
  retryAfterSeconds?: number;
}

/** A test holds it to package.json. */
export const SERVER_INFO = { name: "signalbox", title: "Signalbox", version: "0.1.0" };

/** The list depends on the build alone; `private`, because it is answered to a key. */
const LIST_CACHE = { ttlMs: 60_000, cacheScope: "private" } as const;

/**
 * A protocol server for one request of either era. The low-level class on purpose: `McpServer` would check the arguments
 * itself and answer in its own words, where the contract wants `{error, code, details?}`.
 */
export function buildMcpServer(tools: readonly McpTool[], exchange: McpExchange): Server {
  const server = new Server(SERVER_INFO, {
    capabilities: { tools: {} },
    instructions: describeServer(tools),
    cacheHints: { "tools/list": LIST_CACHE, "server/discover": LIST_CACHE },
  });
  server.setRequestHandler("tools/list", ({ params }) => {
    if (params?.cursor !== undefined) throw invalidParams("Invalid cursor: the list has one page.");
    return { tools: tools.map((tool) => tool.definition) };
  });
  server.setRequestHandler("tools/call", ({ params }) => {
    const tool = tools.find((candidate) => candidate.definition.name === params.name);
    if (!tool) throw invalidParams(`Unknown tool: ${params.name.slice(0, 64)}`);
    return callTool(tool, params.arguments ?? {}, exchange, tools);
  });
  return server;
}

/** Every failure of a tool is returned and never thrown: the protocol would send a thrown message as its own -32603. */
async function callTool(
  tool: McpTool,
  args: JsonObject,
  exchange: McpExchange,
  tools: readonly McpTool[],
): Promise<CallToolResult> {
  const { caller, context } = exchange;
  try {
    authorize(tool.operation, caller);
    const given = decodeArguments(tool.definition.inputSchema, args);
    assertStorable(given);
    return toolSuccess(await invoke(tool.operation, caller, given, context));
  } catch (thrown) {
    const error = toApiError(thrown, context.requestId);
    exchange.retryAfterSeconds = error.retryAfterSeconds;
    return toolFailure(error, await findHint(error, args, exchange, tools));
  }
}

function invalidParams(text: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, text);
}
