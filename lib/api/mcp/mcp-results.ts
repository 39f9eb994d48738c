import type { CallToolResult } from "@modelcontextprotocol/server";
import type { McpMessage } from "#lib/api/mcp/mcp-message";
import type { ApiError } from "#lib/contract/api-error";
import { isJsonObject } from "#lib/support/json";

/**
 * A bad key is told to a tool call as a tool result over HTTP 200, as the contract's MCP rule says of every failure of a
 * tool: on an HTTP 401 in the middle of a session clients throw, and the agent never reads the reason ("API key
 * revoked"). Every other method answers HTTP 401, so that connecting with a bad key fails at once and visibly.
 */
const TOOL_CALLS_HEAR_401_AS_RESULT = true;

/** @param output the REST body of the operation */
export function toolSuccess(output: unknown): CallToolResult {
  // Both must fail here, where a failure becomes a tool result, and not in the transport: what is no object, and what
  // JSON cannot hold.
  if (!isJsonObject(output)) throw new TypeError("a tool must answer an object");
  const text = JSON.stringify(output);
  return { content: [{ type: "text", text }], structuredContent: output };
}

/**
 * @param hint what REST tells by a header or not at all, for the model to read. It is a second block, so that the first
 *   stays the contract's `{error, code, details?}` with its `reason`, and nothing else
 */
export function toolFailure(error: ApiError, hint?: string): CallToolResult {
  const blocks = [JSON.stringify(error.toBody()), ...(hint ? [hint] : [])];
  return { content: blocks.map((text) => ({ type: "text", text })), isError: true };
}

/** A JSON-RPC error over the given HTTP status. */
export function rpcFailure(message: McpMessage | null, status: number, code: number, text: string, data?: unknown) {
  const error = { code, message: text, ...(data === undefined ? {} : { data }) };
  return Response.json({ jsonrpc: "2.0", id: message?.id ?? null, error }, { status });
}

/**
 * The answer to a request that never reached the protocol: a bad key, a spent window, a body too large, a failure of
 * ours. A tool call reads it as the result of its tool; anything else as a JSON-RPC error with the contract's object in
 * `data`.
 * @param status the HTTP status of what is not a tool's result
 */
export function refuse(message: McpMessage | null, error: ApiError, status: number = error.status): Response {
  const isResult = message?.isToolCall && (error.status !== 401 || TOOL_CALLS_HEAR_401_AS_RESULT);
  if (message && isResult) {
    const result = { ...(message.isModern ? { resultType: "complete" } : {}), ...toolFailure(error, waitHint(error)) };
    return Response.json({ jsonrpc: "2.0", id: message.id, result });
  }
  const response = rpcFailure(message, status, rpcCode(error), error.message, error.toBody());
  if (status === 401) response.headers.set("www-authenticate", "Bearer");
  return response;
}

/** Below the range that JSON-RPC and MCP reserve, where clients read meanings of their own into a code. */
export function rpcCode(error: ApiError): number {
  return -31_000 - error.status;
}

/** A model cannot see `retry-after`. */
export function waitHint(error: ApiError): string | undefined {
  if (error.retryAfterSeconds === undefined) return undefined;
  return `Wait at least ${error.retryAfterSeconds} seconds before the next call.`;
}
