import { LIMITS } from "#lib/contract/limits";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";
import { parseBoundedJson } from "#lib/support/scan-json";

/** No answer that only says "later" is longer. */
const BODY_BYTES = 65_536;

/** Where services put the code of an error. */
const CODES: readonly (readonly (string | number)[])[] = [
  ["error"],
  ["error", "code"],
  ["error", "status"],
  ["error", "type"],
  ["error", "errors", 0, "reason"],
  ["error", "details", 0, "reason"],
  ["errors", 0, "extensions", "code"],
  ["errors", 0, "code"],
  ["errors", 0, "type"],
  ["errors", 0, "reason"],
  ["code"],
  ["errorCode"],
  ["error_code"],
  ["reason"],
  ["__type"],
  [0, "errorCode"],
];

/** Codes of rate limits in lower case, letters only: `rateLimitExceeded`, `THROTTLED`, `REQUEST_LIMIT_EXCEEDED`. */
const LIMIT_CODE =
  /^(?:user|api|app|global|secondary)?(?:ratelimit(?:ed|exceeded|reached|error)?|throttl(?:ed|ing|eexceeded)(?:exception|error)?|toomanyrequests?(?:exception|error)?|(?:query|requests?|calls?|dailyapi|hourlyapi|daily|hourlyapiinvocation|burstapiinvocation)limitexceeded|operationtimelimit|quotaexceeded|provisionedthroughputexceededexception|slowdown|complexitybudgetexhausted|complexityexception)$/;
/** GitHub's secondary limits have no code, only words. */
const LIMIT_WORDS =
  /\brate limit(?:ed)? (?:exceeded|reached)\b|\b(?:exceeded|hit|reached) (?:a|the|your) [\w -]{0,40}rate limit\b/i;

/** Where services put a wait, and how many milliseconds its unit has. */
const WAITS: readonly (readonly [readonly (string | number)[], number])[] = [
  [["retry_after"], 1_000],
  [["parameters", "retry_after"], 1_000],
  [["error", "retry_after"], 1_000],
  [["retryAfter"], 1_000],
  [["retry_after_ms"], 1],
  [["retryAfterMs"], 1],
  [["retry_in_seconds"], 1_000],
  [["errors", 0, "extensions", "retry_in_seconds"], 1_000],
  [["errors", 0, "extensions", "retryAfter"], 1_000],
];

/** Returns the JSON of a short answer, or null. */
function shortJson({ body }: Pick<OutgoingResponse, "body">): unknown {
  if (body.byteLength === 0 || body.byteLength > BODY_BYTES) return null;
  try {
    return parseBoundedJson(body.toString("utf8").replace(/^\uFEFF/, ""));
  } catch {
    return null;
  }
}

/** Reports whether the body of a refusal says that a rate limit is its reason, by a code or in GitHub's words. */
export function namesLimit(response: Pick<OutgoingResponse, "body">): boolean {
  const body = shortJson(response);
  return hasLimitCode(body) || LIMIT_WORDS.test(String(getPath(body, ["message"]) ?? ""));
}

function hasLimitCode(body: unknown): boolean {
  return CODES.some((path) => {
    const code = getPath(body, path);
    return typeof code === "string" && code.length < 80 && LIMIT_CODE.test(code.toLowerCase().replace(/[^a-z]/g, ""));
  });
}

/**
 * Reports whether an answer with a status of success says that nothing was done because of a rate limit: a GraphQL
 * answer with errors and no data, or `ok: false`.
 */
export function isLimitInSuccess({ status, headers, body }: OutgoingResponse): boolean {
  if (status >= 300 || !/json/i.test(headers["content-type"] ?? "")) return false;
  // Nearly every answer is a real one, and need not be parsed twice.
  if (body.byteLength > BODY_BYTES || !/limit|throttl|too_?many|complexity|slow_?down/i.test(body.toString("latin1"))) {
    return false;
  }
  const answer = shortJson({ body });
  if (!isJsonObject(answer)) return false;
  const isRefused = answer.ok === false || answer.success === false;
  const hasErrors = Array.isArray(answer.errors) && answer.errors.length > 0 && (answer.data ?? null) === null;
  const hasMondayError = typeof answer.error_code === "string" && (answer.data ?? null) === null;
  return (isRefused || hasErrors || hasMondayError) && hasLimitCode(answer);
}

/** Returns how long the body of an answer asks to wait, at most a day; null if it does not say. */
export function waitInBody(response: Pick<OutgoingResponse, "body">, now: Date): number | null {
  const body = shortJson(response);
  const waits = WAITS.map(([path, unitMs]) => [getPath(body, path), unitMs] as const);
  const given = waits.find(([value]) => typeof value === "number" && Number.isFinite(value) && value > 0);
  const waitMs = given ? Number(given[0]) * given[1] : (untilReset(body, now) ?? delayOfGoogle(body) ?? restored(body));
  return waitMs === null || !(waitMs > 0) ? null : Math.min(Math.ceil(waitMs), LIMITS.rateLimitResetMs);
}

/** Bitrix24: the epoch second in which the method may be called again. */
function untilReset(body: unknown, now: Date): number | null {
  const at = getPath(body, ["time", "operating_reset_at"]);
  return typeof at === "number" ? at * 1_000 - now.getTime() : null;
}

/** Google: `RetryInfo` among the details, such as `"retryDelay": "3.5s"`. */
function delayOfGoogle(body: unknown): number | null {
  const details = getPath(body, ["error", "details"]);
  const delays = (Array.isArray(details) ? details : []).map((detail) => getPath(detail, ["retryDelay"]));
  const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(String(delays.find((delay) => typeof delay === "string"))) ?? [];
  return seconds === undefined ? null : Number(seconds) * 1_000;
}

/** Shopify: the query costs more points than there are, and some return every second. */
function restored(body: unknown): number | null {
  const cost = getPath(body, ["extensions", "cost"]);
  const [needed, available, perSecond] = [
    getPath(cost, ["requestedQueryCost"]),
    getPath(cost, ["throttleStatus", "currentlyAvailable"]),
    getPath(cost, ["throttleStatus", "restoreRate"]),
  ].map(Number);
  const waitMs = (((needed ?? 0) - (available ?? 0)) / (perSecond ?? 0)) * 1_000;
  return Number.isFinite(waitMs) ? waitMs : null;
}
