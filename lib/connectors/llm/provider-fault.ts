import { answerOf } from "#lib/connectors/sdk/answer-of";
import { errorWords } from "#lib/connectors/sdk/error-words";
import { statusError } from "#lib/connectors/sdk/status-error";
import { AnsweredError } from "#lib/core/engine/answered-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

/** What providers call an error, by the status that means the same. Names are in lowercase, with underscores. */
const NAMES_BY_STATUS: Readonly<Record<number, string>> = {
  400: "invalid_request_error invalid_request invalid_argument bad_request context_length_exceeded content_filter",
  401: "authentication_error invalid_api_key unauthenticated unauthorized",
  403: "permission_error permission_denied forbidden",
  404: "not_found_error not_found model_not_found",
  413: "request_too_large",
  429: "rate_limit_exceeded rate_limit_error rate_limit rate_limited rate_limit_reached_error too_many_requests resource_exhausted throttled throttling",
  500: "server_error internal_server_error internal_error api_error internal",
  503: "service_unavailable unavailable overloaded overloaded_error server_overloaded engine_overloaded_error model_overloaded",
  504: "timeout timeout_error gateway_timeout deadline_exceeded",
};
const STATUSES = new Map(
  Object.entries(NAMES_BY_STATUS).flatMap(([status, names]) =>
    names.split(" ").map((name) => [name, Number(status)] as const),
  ),
);
/** No later attempt succeeds until someone pays, although OpenAI answers 429. */
const OUT_OF_QUOTA: ReadonlySet<string> = new Set(
  "insufficient_quota billing_hard_limit_reached billing_not_active billing_error exceeded_current_quota_error insufficient_balance insufficient_credits payment_required".split(
    " ",
  ),
);
const PAYMENT_REQUIRED = 402;
/** For an error whose name says nothing: a later attempt may succeed. */
const UNNAMED = 502;
const QUOTA_ADVICE =
  "The account has no quota or credit left, so Signalbox does not retry. Check its plan and billing.";

/** Builds the error for a status of 400 or more, with the provider's words. */
export function refusalError(host: string, response: OutgoingResponse, now: Date): AnsweredError {
  const words = errorWords(response);
  const isOut = response.status === PAYMENT_REQUIRED || isOutOfQuota(namesOf(faultIn(parseQuietly(response))));
  if (!isOut) return statusError(host, response, now, words);
  return quotaError(`${host} answered ${response.status}`, words, response);
}

/**
 * Finds an error in a response whose status says success, as gateways send it that have already answered: at the top
 * level, or in the first choice. It means the same as the status that it names.
 * @returns null if the response contains none
 */
export function findFault(host: string, response: OutgoingResponse, now: Date, body: unknown): AnsweredError | null {
  const fault = faultIn(body);
  if (fault === null) return null;
  const names = namesOf(fault);
  const words = errorWords({ body: Buffer.from(JSON.stringify({ error: fault })) });
  const start = `${host} answered ${response.status} with an error`;
  if (isOutOfQuota(names)) return quotaError(start, words, response);
  const status = statusOf(names);
  const { reason, details } = statusError(host, { ...response, status }, now, words);
  const name = names.find((one) => one !== "") ?? "";
  const message = [start, name && ` (${name})`, words && `: ${words}`].join("");
  return new AnsweredError(reason, message, { ...details, ...answerOf(response) });
}

/** Parses a body; null if it is not JSON. */
export function parseQuietly({ body }: Pick<OutgoingResponse, "body">): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}

function quotaError(start: string, words: string | undefined, response: OutgoingResponse): AnsweredError {
  const said = words === undefined ? "" : `: ${words}`;
  return new AnsweredError("service_refused", `${start}${said}${/[.!?]$/.test(said) ? "" : "."} ${QUOTA_ADVICE}`, {
    ...answerOf(response),
  });
}

/** An error next to an answer counts if it has words: some servers always send an empty one. */
function faultIn(given: unknown): unknown {
  const body = Array.isArray(given) && !getPath(given, [0, "choices"]) ? given[0] : given;
  if (!isJsonObject(body)) return null;
  const { error } = body;
  const isAnswer = hasItems(body.choices) || hasItems(body.content) || typeof body.content === "string";
  if (typeof error === "string" && error.trim() !== "") return error;
  if (isJsonObject(error) && (hasWords(error) || (!isAnswer && Object.keys(error).length > 0))) return error;
  const inChoice = getPath(body, ["choices", 0, "error"]);
  if (isJsonObject(inChoice) && hasWords(inChoice)) return inChoice;
  if (body.object === "error" || body.type === "error") return body;
  return isAnswer || !(hasWords(body) || body.detail !== undefined || hasItems(body.errors)) ? null : body;
}

function hasWords({ message }: Readonly<Record<string, unknown>>): boolean {
  return typeof message === "string" && message.trim() !== "";
}

function hasItems(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

function namesOf(fault: unknown): string[] {
  if (typeof fault === "string") return [nameOf(fault)];
  if (!isJsonObject(fault)) return [];
  return [fault.code, fault.type, fault.status, fault.statusCode].map(nameOf);
}

function nameOf(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "";
  return String(value)
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
}

function isOutOfQuota(names: readonly string[]): boolean {
  return names.some((name) => OUT_OF_QUOTA.has(name) || name === String(PAYMENT_REQUIRED));
}

function statusOf(names: readonly string[]): number {
  const written = names.find((name) => /^[45]\d\d$/.test(name));
  if (written !== undefined) return Number(written);
  const known = names.flatMap((name) => STATUSES.get(name) ?? []);
  // `invalid_request_error` is the type of many errors, and another name says more.
  return known.find((status) => status !== 400) ?? known[0] ?? UNNAMED;
}
