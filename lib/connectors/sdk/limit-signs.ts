import { errorWords } from "#lib/connectors/sdk/error-words";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";
import { parseBoundedJson } from "#lib/support/scan-json";

/** No answer that only says "later" is longer. */
const BODY_BYTES = 65_536;
/** How far into an XML document its code is. */
const XML_BYTES = 2_048;

/** Where services put the code of an error. `*` is each of the first items of a list. */
const CODES: readonly (readonly (string | number)[])[] = [
  ["error"],
  ["error", "code"],
  ["error", "status"],
  ["error", "type"],
  ["error", "errors", "*", "reason"],
  ["error", "details", "*", "reason"],
  ["errors", "*", "extensions", "code"],
  ["errors", "*", "code"],
  ["errors", "*", "type"],
  ["errors", "*", "reason"],
  ["errors", "*", "error"],
  ["errors", "*", "error_type"],
  ["code"],
  ["errorCode"],
  ["error_code"],
  ["reason"],
  ["__type"],
  ["*", "errorCode"],
];
const ITEMS_READ = 5;
const CODE_CHARACTERS = 120;

/** What a code is about, and the words that end it. The words are those of `wordsIn`. */
const LIMIT_CODES: readonly RegExp[] = [
  /\brate ?limit(?:ed)?(?: ?(?:exceeded|reached|hit))?(?: ?(?:unreg|error|exception))?$/,
  /\b(?:requests?|calls?|query|qps|bandwidth|concurren(?:t|cy)(?: ?requests?)?|(?:daily|hourly)(?: ?api)?|(?:burst|hourly) ?api ?invocation) ?limit ?(?:exceeded|reached)$/,
  /\bthrottle ?exceeded(?: ?exception)?$|\bthrottl(?:ed|ing)(?:exception)?(?: .*)?$/,
  /\btoo ?many ?(?:\w+ )?requests?(?: ?(?:error|exception))?$/,
  /\boperation time limit$|\bslow ?down$|\bcomplexity (?:budget exhausted|exception)$|\bprior request not complete$/,
  /\bprovisioned throughput exceeded exception$|^quota ?exceeded$|^flood (?:wait|control)\b/,
];
/** A limit as the subject of another error, such as `invalid_rate_limit`. */
const NO_LIMIT_CODE = /^(?:invalid|missing|unknown|bad|unsupported)\b/;
/** Some limits have no code, only words: GitHub's secondary ones, Zoho's for tokens, QuickBooks'. */
const LIMIT_WORDS =
  /\brate[ -]limit(?:ed)? (?:was |has been )?(?:exceeded|reached)\b|\b(?:exceeded|hit|reached) (?:a|the|your) [\w -]{0,40}rate[ -]limit\b|\bbeing rate[ -]limited\b|(?:^|\b(?:made|sent|making|sending) )too many requests\b(?! in (?:the |a |one )?batch)|\brequest limit (?:exceeded|reached)\b|\bThrottleExceeded\b/i;
/** Meta's numbers of limits (Graph API, Rate limiting). Other services give these numbers other meanings. */
const META_LIMITS: ReadonlySet<number> = new Set([4, 17, 32, 613]);
const META_BUSINESS_LIMITS = { first: 80_000, last: 80_014 };
/** VK: too many requests per second, flood control, and the limit of a method. */
const VK_LIMITS: ReadonlySet<number> = new Set([6, 9, 29]);
/** Marketo: the limits of 20 seconds, of a day, and of calls at the same time. */
const MARKETO_LIMITS: ReadonlySet<string> = new Set(["606", "607", "615"]);

/** Where services put a wait, and how many milliseconds its unit has. */
const WAITS: readonly (readonly [readonly (string | number)[], number])[] = [
  [["retry_after"], 1_000],
  [["retry_after_seconds"], 1_000],
  [["retryAfterSeconds"], 1_000],
  [["parameters", "retry_after"], 1_000],
  [["error", "retryAfter"], 1_000],
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

/** Reports whether the code of an error names a rate limit: `rateLimitExceeded`, `THROTTLED`, `REQUEST_LIMIT_EXCEEDED`. */
export function isLimitCode(code: unknown): boolean {
  if (code === 429 || code === "429") return true;
  if (typeof code !== "string" || code.length > CODE_CHARACTERS) return false;
  const words = wordsIn(code);
  return !NO_LIMIT_CODE.test(words) && LIMIT_CODES.some((pattern) => pattern.test(words));
}

/** `userRateLimitExceeded` and `USER_RATE_LIMIT_EXCEEDED` as `user rate limit exceeded`. */
function wordsIn(code: string): string {
  return code
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[^A-Za-z0-9]+/g, " ")
    .trim()
    .toLowerCase();
}

/** Reports whether the words of an error, for which a service has no code, name a rate limit. */
export function saysLimit(words: string): boolean {
  return LIMIT_WORDS.test(words);
}

/** Reports whether a refusal says that a rate limit is its reason, by a code or in its words. */
export function namesLimit({ headers, body }: Pick<OutgoingResponse, "headers" | "body">): boolean {
  // AWS: `ThrottlingException:http://…`.
  if (isLimitCode(headers["x-amzn-errortype"]?.split(":")[0])) return true;
  const value = shortJson({ body });
  if (value === null) return isLimitCode(codeInXml(body));
  return hasLimitCode(value) || isMetaLimit(value) || saysLimit(errorWords({ body }) ?? "");
}

function hasLimitCode(body: unknown): boolean {
  return CODES.some((path) => valuesAt(body, path).some(isLimitCode));
}

function valuesAt(value: unknown, [key, ...rest]: readonly (string | number)[]): unknown[] {
  if (key === undefined) return [value];
  if (key !== "*") return valuesAt(getPath(value, [key]), rest);
  return Array.isArray(value) ? value.slice(0, ITEMS_READ).flatMap((item: unknown) => valuesAt(item, rest)) : [];
}

/** AWS: `<Code>RequestLimitExceeded</Code>`. */
function codeInXml(body: Buffer): string | undefined {
  return /<(?:Code|code)>\s*([\w.]{1,100})\s*<\//.exec(body.toString("latin1", 0, XML_BYTES))?.[1];
}

function isMetaLimit(body: unknown): boolean {
  const error = getPath(body, ["error"]);
  if (!isJsonObject(error) || error.fbtrace_id === undefined) return false;
  const code = Number(error.code);
  return META_LIMITS.has(code) || (code >= META_BUSINESS_LIMITS.first && code <= META_BUSINESS_LIMITS.last);
}

/**
 * Reports whether an answer with a status of success says that nothing was done because of a rate limit: a GraphQL
 * answer with errors and no data, or `ok: false`.
 */
export function isLimitInSuccess({ status, headers, body }: OutgoingResponse): boolean {
  if (status >= 300 || !/json/i.test(headers["content-type"] ?? "")) return false;
  // Nearly every answer is a real one, and need not be parsed twice.
  if (
    body.byteLength > BODY_BYTES ||
    !/limit|throttl|too[_ ]?many|complexity|slow_?down|flood|\b429\b/i.test(body.toString("latin1"))
  ) {
    return false;
  }
  const answer = shortJson({ body });
  if (!isJsonObject(answer)) return false;
  const isRefused = answer.ok === false || answer.success === false;
  const hasErrors = Array.isArray(answer.errors) && answer.errors.length > 0 && (answer.data ?? null) === null;
  const hasMondayError = typeof answer.error_code === "string" && (answer.data ?? null) === null;
  if (isRefused && valuesAt(answer, ["errors", "*", "code"]).some((code) => MARKETO_LIMITS.has(String(code))))
    return true;
  return isVkLimit(answer) || ((isRefused || hasErrors || hasMondayError) && hasLimitCode(answer));
}

function isVkLimit({ error, response }: JsonObject): boolean {
  return isJsonObject(error) && response === undefined && VK_LIMITS.has(Number(error.error_code));
}

/** Returns how long the body of an answer asks to wait, at most a day; null if it does not say. */
export function waitInBody(response: Pick<OutgoingResponse, "body">, now: Date): number | null {
  const body = shortJson(response);
  const waits = WAITS.map(([path, unitMs]) => [getPath(body, path), unitMs] as const);
  const given = waits.find(([value]) => isCount(value));
  const waitMs = given ? Number(given[0]) * given[1] : (untilReset(body, now) ?? delayOfGoogle(body) ?? restored(body));
  return waitMs === null || !(waitMs > 0) ? null : Math.min(Math.ceil(waitMs), LIMITS.rateLimitResetMs);
}

function isCount(value: unknown): boolean {
  const isNumber = typeof value === "number" || (typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value));
  return isNumber && Number.isFinite(Number(value)) && Number(value) > 0;
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
