import { parseHttpDate } from "#lib/connectors/sdk/parse-wait";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { isJsonObject } from "#lib/support/json";
import { parseBoundedJson } from "#lib/support/scan-json";

/** What a token endpoint grants. */
export interface GrantedToken {
  accessToken: string;
  /** Null if the service keeps the old one, or has none. */
  refreshToken: string | null;
  /** Null if the service does not say when the token ends, or says it in a form that is not a duration. */
  lifetimeMs: number | null;
  /** In lower case; null if it is missing. */
  tokenType: string | null;
}

/** What a token endpoint says instead of granting a token. Both are null for an answer that is not its own. */
export interface TokenRefusal {
  /** In lower case. */
  error: string | null;
  description: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** Where services put the fields of RFC 6749, 5.1, besides the answer itself. Slack has the token of the person apart. */
const WRAPPERS = ["data", "result", "response", "payload", "token", "tokens", "credentials", "authed_user"];
/** A longer time is not a duration: it may be a point in time, and its end would be after the last date. */
const LIFETIME_SECONDS_MAX = 100 * 365 * 86_400;

/**
 * Reads the answer of a token endpoint: JSON whatever its type, or a form, which is what GitHub sends by default.
 * @returns null for anything else, such as the page of a proxy
 */
export function readTokenFields({ body }: Pick<OutgoingResponse, "body">): Fields | null {
  const text = body
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trim();
  try {
    const value = parseBoundedJson(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return /^[\w.~%+-]+=[^\s<>{}]*$/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : null;
  }
}

/** @returns null if the answer grants no token, or also says that it failed */
export function readGrantedToken(answer: Fields, now: Date): GrantedToken | null {
  if (answer.ok === false || answer.success === false || errorOf(answer) !== null) return null;
  const places = [answer, ...WRAPPERS.map((name) => answer[name]).filter(isJsonObject)];
  for (const place of places) {
    const accessToken = textOf(place.access_token ?? place.accessToken);
    // RFC 6749, A.12: visible characters. Anything else could not be sent in a header.
    if (accessToken === null || !/^[\x21-\x7e]+$/.test(accessToken)) continue;
    return {
      accessToken,
      refreshToken: textOf(place.refresh_token ?? place.refreshToken),
      lifetimeMs: lifetimeOf(place.expires_in ?? place.expiresIn) ?? lifetimeUntil(endOf(place), now),
      tokenType: textOf(place.token_type ?? place.tokenType)?.toLowerCase() ?? null,
    };
  }
  return null;
}

/** Reads the error of RFC 6749, 5.2, or what other services have in its place. */
export function readRefusal(answer: Fields): TokenRefusal {
  // HubSpot: `{ "status": "BAD_REFRESH_TOKEN", "message": … }`.
  const error = errorOf(answer) ?? (/^[A-Z_]+$/.test(String(answer.status)) ? nameOf(answer.status) : null);
  const { error_description: description, message, hint, errmsg, error_msg: errorMessage } = answer;
  const words = [
    description,
    isJsonObject(answer.error) ? answer.error.message : null,
    message,
    hint,
    errmsg,
    errorMessage,
  ];
  return { error: error?.toLowerCase() ?? null, description: words.map(textOf).find((text) => text !== null) ?? null };
}

function errorOf(answer: Fields): string | null {
  const nested = isJsonObject(answer.error) ? answer.error : {};
  const places = [answer.error, nested.code, nested.type, nested.status, answer.error_code, answer.errorCode];
  return places.map(nameOf).find((name) => name !== null) ?? null;
}

/** What services write in the place of an error where there is none. */
const NO_ERROR = /^(?:0+|200|ok|success|succeeded|successful|none|null|false|no_error)$/i;

function nameOf(value: unknown): string | null {
  const text = textOf(value);
  return text === null || NO_ERROR.test(text) ? null : text;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

/**
 * Reads `expires_in`: a positive number of seconds, which some services write as text. Zero, a negative number and
 * anything else do not say when the token ends; then it is used until the service refuses it.
 */
function lifetimeOf(given: unknown): number | null {
  const text = typeof given === "number" ? String(given) : (textOf(given) ?? "");
  const [, digits] = /^(\d+(?:\.\d+)?)\s*(?:s|sec|seconds)?$/i.exec(text) ?? [];
  const seconds = Number(digits);
  return seconds > 0 && seconds <= LIFETIME_SECONDS_MAX ? Math.ceil(seconds * 1_000) : null;
}

/** Where services write when a token ends, if they do not write how long it lives. */
function endOf({ expires_at, expiresAt, expires_on, expiresOn }: Fields): unknown {
  return expires_at ?? expiresAt ?? expires_on ?? expiresOn;
}

/** A smaller number is no time of this century. */
const EPOCH_SECONDS_MIN = 1e9;
const EPOCH_MILLISECONDS_MIN = 1e12;

/** Reads a time as epoch seconds, milliseconds, or with its zone as text; null for anything else, and for one that is over. */
function lifetimeUntil(given: unknown, now: Date): number | null {
  const text = typeof given === "number" ? String(given) : (textOf(given) ?? "");
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
  const isTime = number !== null && number >= EPOCH_SECONDS_MIN;
  const until = isTime
    ? number * (number < EPOCH_MILLISECONDS_MIN ? 1_000 : 1)
    : number === null
      ? parseHttpDate(text, now)
      : null;
  const lifetimeMs = until === null ? 0 : Math.ceil(until - now.getTime());
  return lifetimeMs > 0 && lifetimeMs <= LIFETIME_SECONDS_MAX * 1_000 ? lifetimeMs : null;
}
