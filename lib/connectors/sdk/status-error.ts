import { answerOf } from "#lib/connectors/sdk/answer-of";
import { errorWords } from "#lib/connectors/sdk/error-words";
import { isLimitInSuccess, namesLimit, waitInBody } from "#lib/connectors/sdk/limit-signs";
import { parseHttpDate, parseRetryAfter } from "#lib/connectors/sdk/parse-wait";
import { hasNoCallsLeft, waitForReset, waitInMilliseconds } from "#lib/connectors/sdk/rate-limit-headers";
import type { StepErrorCode } from "#lib/contract/run/step-error";
import { AnsweredError } from "#lib/core/engine/answered-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";

const EXCERPT_CHARACTERS = 200;

/**
 * Maps a status of 400 or more to a step error (contract, Errors):
 *
 * - 401: AUTH_EXPIRED, the service does not accept the credentials;
 * - 429, and 420 of services that are older than it; 403 if no calls are left in the window of a rate limit; any other 4xx that may pass and asks to wait in Retry-After, such as
 *   GitHub's 403 and HubSpot's 423 and 477, or whose body has the code of a rate limit: RATE_LIMITED;
 * - 408, 425 and 5xx: UPSTREAM_ERROR, a later attempt may succeed;
 * - every other 4xx: VALIDATION_ERROR. The service understood and refused; repeating the request changes nothing, and a
 *   "404 not found" must not open the circuit breaker.
 *
 * `retryAfterMs` comes from Retry-After, for any retryable status that carries it, otherwise from the headers or the body
 * of a rate limit. The error keeps the status and the body of the response.
 * @param words the service's own message, if the connector can read it; otherwise the start of the response is used
 */
export function statusError(host: string, response: OutgoingResponse, now: Date, words?: string): AnsweredError {
  const code = codeOf(response, now);
  const hint = words ?? (code === "VALIDATION_ERROR" || code === "AUTH_EXPIRED" ? excerpt(response) : "");
  const message = `${host} answered ${response.status}${hint === "" ? "" : `: ${hint}`}`;
  const retryAfterMs = code === "RATE_LIMITED" || code === "UPSTREAM_ERROR" ? waitOf(code, response, now) : null;
  return new AnsweredError(code === "VALIDATION_ERROR" ? "service_refused" : code, message, {
    ...answerOf(response),
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  });
}

function codeOf(response: OutgoingResponse, now: Date): StepErrorCode {
  const { status, headers } = response;
  if (status === 401) return "AUTH_EXPIRED";
  if (status === 429 || status === 420 || (status === 403 && hasNoCallsLeft(headers))) return "RATE_LIMITED";
  if (status === 408 || status === 425 || status >= 500) return "UPSTREAM_ERROR";
  return asksToWait(response, now) || namesLimit(response) ? "RATE_LIMITED" : "VALIDATION_ERROR";
}

/** Statuses that say by their definition that the same request fails later, too (RFC 9110, 15.5). */
const LASTING: ReadonlySet<number> = new Set([
  ...[400, 402, 404, 405, 406, 407, 410, 411, 412, 414, 415, 416, 417, 421, 422, 426, 428, 431, 451],
]);

/** Some proxies add `Retry-After: 0` to every error, which asks for nothing. */
function asksToWait({ status, headers }: OutgoingResponse, now: Date): boolean {
  return !LASTING.has(status) && (parseRetryAfter(headers["retry-after"], clockOf(headers, now)) ?? 0) > 0;
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

function waitOf(code: StepErrorCode, response: OutgoingResponse, now: Date): number | null {
  const { headers } = response;
  const clock = clockOf(headers, now);
  const given = parseRetryAfter(headers["retry-after"], clock) ?? waitInMilliseconds(headers);
  if (given !== null || code !== "RATE_LIMITED") return given;
  return waitForReset(headers, clock) ?? waitInBody(response, clock);
}

/** Times are measured by the service's own clock if the response has one. */
function clockOf(headers: OutgoingResponse["headers"], now: Date): Date {
  const theirs = parseHttpDate(headers.date ?? "", now);
  return theirs === null ? now : new Date(theirs);
}

/**
 * Returns the error of an answer that has a status of success and says that a rate limit is exhausted, as GraphQL APIs
 * and Slack do. Null for every other answer: what it says is the output of the step.
 */
export function limitInSuccess(host: string, response: OutgoingResponse, now: Date): AnsweredError | null {
  if (!isLimitInSuccess(response)) return null;
  const retryAfterMs = waitOf("RATE_LIMITED", response, now);
  const words = errorWords(response);
  const message = `${host} answered ${response.status}, but limits the rate of calls${words ? `: ${words}` : ""}`;
  return new AnsweredError("RATE_LIMITED", message, {
    ...answerOf(response),
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  });
}
