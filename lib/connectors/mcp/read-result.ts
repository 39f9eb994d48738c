import { RPC_CODES, type RpcError } from "#lib/connectors/mcp/protocol";
import { type McpAnswer, type McpService, urlOf } from "#lib/connectors/mcp/send-message";
import { statusError } from "#lib/connectors/sdk/status-error";
import { StepError, type StepErrorCode } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { AnsweredError } from "#lib/core/engine/answered-error";

const MESSAGE_CHARACTERS = 500;
/** Errors of the request itself: sending it again changes nothing. */
const REFUSALS: ReadonlySet<number> = new Set(Object.values(RPC_CODES));

/**
 * Returns the result of a request.
 * @throws StepError by the status of HTTP or the code of JSON-RPC, with the server's own message
 */
export function readResult(service: McpService, { response, reply }: McpAnswer): JsonObject {
  const { host } = new URL(urlOf(service));
  // A status such as 401 or 429 says more than the message that may come with it.
  if (response.status >= 400) throw statusError(host, response, service.now(), reply?.error?.message);
  if (reply?.error) throw rpcFailure(host, reply.error);
  if (reply?.result) return reply.result;
  throw new StepError("answer_unreadable", `${host} ended its response without an answer to the request`);
}

/** Servers also write statuses of HTTP as codes, which mean the same here. */
function reasonOf(code: number | string): StepErrorCode {
  if (typeof code !== "number") return "UPSTREAM_ERROR";
  if (REFUSALS.has(code)) return "VALIDATION_ERROR";
  if (code === 429) return "RATE_LIMITED";
  return code >= 400 && code < 500 && code !== 408 && code !== 425 ? "VALIDATION_ERROR" : "UPSTREAM_ERROR";
}

function rpcFailure(host: string, { code, message, data }: RpcError): AnsweredError {
  const words = `${host} answered with the error ${code}: ${message.slice(0, MESSAGE_CHARACTERS)}`;
  const body = { body: { code, message, ...(data === undefined ? {} : { data }) } };
  return new AnsweredError(reasonOf(code), words, body);
}
