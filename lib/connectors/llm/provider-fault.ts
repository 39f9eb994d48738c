import { answerOf } from "#lib/connectors/sdk/answer-of";
import { errorWords } from "#lib/connectors/sdk/error-words";
import { isLimitCode, saysLimit } from "#lib/connectors/sdk/limit-signs";
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
const TOO_MANY_REQUESTS = 429;
/** For an error whose name says nothing: a later attempt may succeed. */
const UNNAMED = 502;
const CAUSE_CHARACTERS = 300;
const QUOTA_ADVICE =
  "The account has no quota or credit left, so Signalbox does not retry. Check its plan and billing.";

/** What some services write where there is no error. */
const NO_ERROR: ReadonlySet<string> = new Set(["", "0", "200", "ok", "success", "none", "null", "false"]);
/** The codes of gRPC that Yandex answers with. */
const GRPC_NAMES: Readonly<Record<string, string>> = {
  3: "invalid_argument",
  4: "deadline_exceeded",
  5: "not_found",
  7: "permission_denied",
  8: "resource_exhausted",
  13: "internal",
  14: "unavailable",
  16: "unauthenticated",
};
const OUT_OF_QUOTA_WORDS = /\binsufficient (?:account )?(?:balance|credits?|quota|funds)\b/i;

/** Builds the error for a status of 400 or more, with the provider's words. */
export function refusalError(host: string, response: OutgoingResponse, now: Date): AnsweredError {
  const fault = faultIn(parseQuietly(response));
  const words = withCause(errorWords(response), fault);
  const isOut = response.status === PAYMENT_REQUIRED || isOutOfQuota(namesOf(fault));
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
  const words = withCause(errorWords({ body: Buffer.from(JSON.stringify({ error: fault })) }), fault);
  const start = `${host} answered ${response.status} with an error`;
  if (isOutOfQuota(names) || OUT_OF_QUOTA_WORDS.test(words ?? "")) return quotaError(start, words, response);
  const status = statusOf(names, words ?? "");
  const { reason, details } = statusError(host, { ...response, status }, now, words);
  const name = names.find((one) => !NO_ERROR.has(one)) ?? "";
  const message = [start, name && ` (${name})`, words && `: ${words}`].join("");
  return new AnsweredError(reason, message, { ...details, ...answerOf(response) });
}

/** OpenRouter says "Provider returned error", and what the provider said next to it. */
function withCause(words: string | undefined, fault: unknown): string | undefined {
  const raw = getPath(fault, ["metadata", "raw"]);
  if (typeof raw !== "string" || raw.trim() === "") return words;
  return [words, raw.replace(/\s+/g, " ").trim().slice(0, CAUSE_CHARACTERS)].filter(Boolean).join(": ");
}

/** Parses a body; null if it is not JSON. */
export function parseQuietly({ body }: Pick<OutgoingResponse, "body">): unknown {
  try {
    return JSON.parse(body.toString("utf8").replace(/^\uFEFF/, ""));
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

/** An error next to an answer counts if it says something: some servers always send an empty one. */
function faultIn(given: unknown): unknown {
  const body = Array.isArray(given) && !getPath(given, [0, "choices"]) ? given[0] : given;
  if (!isJsonObject(body)) return null;
  const isAnswer = hasItems(body.choices) || hasItems(body.content) || typeof body.content === "string";
  const own = [body.error].flat()[0];
  if (saysError(own, isAnswer)) return own === true ? body : own;
  const inChoice = getPath(body, ["choices", 0, "error"]);
  if (saysError(inChoice, true)) return inChoice;
  if (body.object === "error" || body.type === "error") return body;
  // MiniMax.
  const { base_resp: state } = body;
  if (isJsonObject(state) && !NO_ERROR.has(nameOf(state.status_code))) {
    return { code: state.status_code, message: state.status_msg };
  }
  return isAnswer || !(hasWords(body) || body.detail !== undefined || hasItems(body.errors)) ? null : body;
}

function saysError(error: unknown, isNextToAnswer: boolean): boolean {
  if (!isJsonObject(error)) return error === true || !NO_ERROR.has(nameOf(error));
  const hasName = namesOf(error).some((name) => !NO_ERROR.has(name));
  return hasName || hasWords(error) || (!isNextToAnswer && Object.keys(error).length > 0);
}

function hasWords({ message, msg, error_msg, errmsg }: Readonly<Record<string, unknown>>): boolean {
  return [message, msg, error_msg, errmsg].some((words) => typeof words === "string" && words.trim() !== "");
}

function hasItems(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

function namesOf(fault: unknown): string[] {
  if (!isJsonObject(fault)) return [nameOf(fault)];
  const { code, grpcCode = Array.isArray(fault.details) ? code : undefined } = fault;
  const { type, status, statusCode, status_code, httpCode, http_code, error_code, errcode } = fault;
  const names = [code, type, status, statusCode, status_code, httpCode, http_code, error_code, errcode].map(nameOf);
  return [...names, GRPC_NAMES[nameOf(grpcCode)] ?? ""];
}

function nameOf(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "";
  return String(value)
    .trim()
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
}

function isOutOfQuota(names: readonly string[]): boolean {
  return names.some((name) => OUT_OF_QUOTA.has(name) || name === String(PAYMENT_REQUIRED));
}

function statusOf(names: readonly string[], words: string): number {
  const written = names.find((name) => /^[45]\d\d$/.test(name));
  if (written !== undefined) return Number(written);
  const known = names.flatMap((name) => STATUSES.get(name) ?? []);
  // `invalid_request_error` is the type of many errors, and another name says more.
  const best = known.find((status) => status !== 400) ?? known[0];
  return best ?? (names.some(isLimitCode) || saysLimit(words) ? TOO_MANY_REQUESTS : UNNAMED);
}
