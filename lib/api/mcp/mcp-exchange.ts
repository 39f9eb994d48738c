import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { retryAfterOf } from "#lib/api/admission/admit";
import { toApiError } from "#lib/api/admission/error-response";
import { rpcCode } from "#lib/api/mcp/mcp-results";
import type { AnswerView, KeyCaller, RequestContext } from "#lib/api/operations/define/caller";
import type { ToolSet } from "#lib/api/operations/define/define-operation";

/** The caller of a request, and what the answer must carry in addition to the protocol's own fields. */
export interface McpExchange {
  caller: KeyCaller;
  context: RequestContext;
  /** The actions that the endpoint's URL requests as typed tools; null means none. */
  typedActions: "all" | readonly string[] | null;
  /** The list of tools that the endpoint's URL requests. */
  toolSet: ToolSet | "all";
  /** The form of answers that the endpoint's URL requests. */
  view: AnswerView;
  /** Set by an answer that is a 429, for the `retry-after` header. */
  retryAfterSeconds?: number | undefined;
}

export function invalidParams(text: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, text);
}

/**
 * Turns a failure outside of tools into a JSON-RPC error with the contract's object in `data`. Without this, the SDK
 * would send a throw as the protocol's own -32603, with its message.
 */
export async function withProtocolErrors<Result>(exchange: McpExchange, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    const error = toApiError(thrown, exchange.context.requestId);
    exchange.retryAfterSeconds = retryAfterOf(error);
    const code = error.status === 400 ? ProtocolErrorCode.InvalidParams : rpcCode(error);
    throw new ProtocolError(code, error.message, error.toBody());
  }
}
