import { answerOf } from "#lib/connectors/sdk/answer-of";
import { parseHttpDate, parseRetryAfter } from "#lib/connectors/sdk/parse-wait";
import { hasNoCallsLeft, waitForReset } from "#lib/connectors/sdk/rate-limit-headers";
import type { StepErrorCode } from "#lib/contract/step-error";
import { AnsweredError } from "#lib/core/engine/answered-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";

const EXCERPT_CHARACTERS = 200;

/**
 * Maps a status of 400 or more to a step error (contract, Errors):
 *
 * - 401: AUTH_EXPIRED, the service does not accept the credentials;
 * - 429, and 403 if no calls are left in the window of a rate limit: RATE_LIMITED;
 * - 408, 425 and 5xx: UPSTREAM_ERROR, a later attempt may succeed;
 * - every other 4xx: VALIDATION_ERROR. The service understood and refused; repeating the request changes nothing, and a
 *   "404 not found" must not open the circuit breaker.
 *
 * `retryAfterMs` comes from Retry-After, for any retryable status that carries it, otherwise from the headers of a rate
 * limit. The error keeps the status and the body of the response.
 * @param words the service's own message, if the connector can read it; otherwise the start of the response is used
 */
export function statusError(host: string, response: OutgoingResponse, now: Date, words?: string): AnsweredError {
  const code = codeOf(response);
  const hint = words ?? (code === "VALIDATION_ERROR" || code === "AUTH_EXPIRED" ? excerpt(response) : "");
  const message = `${host} answered ${response.status}${hint === "" ? "" : `: ${hint}`}`;
  const retryAfterMs = code === "RATE_LIMITED" || code === "UPSTREAM_ERROR" ? waitOf(code, response, now) : null;
  return new AnsweredError(code === "VALIDATION_ERROR" ? "service_refused" : code, message, {
    ...answerOf(response),
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  });
}

function codeOf({ status, headers }: OutgoingResponse): StepErrorCode {
  if (status === 401) return "AUTH_EXPIRED";
  if (status === 429 || (status === 403 && hasNoCallsLeft(headers))) return "RATE_LIMITED";
  if (status === 408 || status === 425 || status >= 500) return "UPSTREAM_ERROR";
  return "VALIDATION_ERROR";
}

function excerpt(response: OutgoingResponse): string {
  const type = response.headers["content-type"] ?? "";
  if (!/json|text\/plain|xml/i.test(type)) return "";
  const text = response.body
    .toString("utf8", 0, EXCERPT_CHARACTERS * 4)
    .replace(/\s+/g, " ")
    .trim();
  return text.length > EXCERPT_CHARACTERS ? `${text.slice(0, EXCERPT_CHARACTERS)}…` : text;
}

/** Times are measured by the service's own clock if the response has one. */
function waitOf(code: StepErrorCode, { headers }: OutgoingResponse, now: Date): number | null {
  const theirs = parseHttpDate(headers.date ?? "", now);
  const clock = theirs === null ? now : new Date(theirs);
  return (
    parseRetryAfter(headers["retry-after"], clock) ?? (code === "RATE_LIMITED" ? waitForReset(headers, clock) : null)
  );
}
