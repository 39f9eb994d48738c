import type { CallToolResult } from "@modelcontextprotocol/server";
import type { McpMessage } from "#lib/api/mcp/mcp-message";
import type { ApiError } from "#lib/contract/error/api-error";
import { noteRefusal } from "#lib/platform/telemetry/telemetry";
import { isJsonObject } from "#lib/support/json";

/**
 * Reports an invalid key to a tool call as a tool result over HTTP 200, as the contract's MCP rule requires for every
 * failure of a tool. On an HTTP 401 in the middle of a session clients throw, and the agent never reads the reason
 * ("API key revoked"). Every other method answers HTTP 401, so that connecting with an invalid key fails at once and
 * visibly.
 */
const TOOL_CALLS_HEAR_401_AS_RESULT = true;

/** @param output the REST body of the operation */
export function toolSuccess(output: unknown): CallToolResult {
  // An output that is not an object, or that JSON cannot represent, must fail here, where a failure becomes a tool
  // result, and not in the transport.
  if (!isJsonObject(output)) throw new TypeError("a tool must answer an object");
  const text = JSON.stringify(output);
  return { content: [{ type: "text", text }], structuredContent: output };
}

/**
 * @param hint text for the model, which REST sends as a header or not at all. It is a second block, so that the first
 * contains only the contract's `{error, code, details?}` with its `reason`
 */
export function toolFailure(error: ApiError, hint?: string): CallToolResult {
  noteRefusal(error.code);
  const blocks = [JSON.stringify(error.toBody()), ...(hint ? [hint] : [])];
  return { content: blocks.map((text) => ({ type: "text", text })), isError: true };
}

/** Returns a JSON-RPC error over the given HTTP status. */
export function rpcFailure(message: McpMessage | null, status: number, code: number, text: string, data?: unknown) {
  const error = { code, message: text, ...(data === undefined ? {} : { data }) };
  return Response.json({ jsonrpc: "2.0", id: message?.id ?? null, error }, { status });
}

/**
 * Returns the answer to a request that never reached the protocol: an invalid key, a spent window, a body that is too
 * large, or a server error. A tool call gets it as a tool result, any other method as a JSON-RPC error with the
 * contract's object in `data`.
 * @param status the HTTP status if the answer is not a tool result
 */
export function refuse(message: McpMessage | null, error: ApiError, status: number = error.status): Response {
  const isResult = message?.isToolCall && (error.status !== 401 || TOOL_CALLS_HEAR_401_AS_RESULT);
  if (message && isResult) {
    const result = { ...(message.isModern ? { resultType: "complete" } : {}), ...toolFailure(error, waitHint(error)) };
    return Response.json({ jsonrpc: "2.0", id: message.id, result });
  }
  noteRefusal(error.code);
  const response = rpcFailure(message, status, rpcCode(error), error.message, error.toBody());
  if (status === 401) response.headers.set("www-authenticate", "Bearer");
  return response;
}

/** Returns a code below the range that JSON-RPC and MCP reserve. Clients give codes in that range their own meaning. */
export function rpcCode(error: ApiError): number {
  return -31_000 - error.status;
}

/** Returns the wait as text, because a model cannot see `retry-after`. */
export function waitHint(error: ApiError): string | undefined {
  if (error.retryAfterSeconds === undefined) return undefined;
  return `Wait at least ${error.retryAfterSeconds} seconds before the next call.`;
}
