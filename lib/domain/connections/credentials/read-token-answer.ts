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
const WRAPPERS = ["data", "result", "response", "payload", "token", "authed_user"];
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
export function readGrantedToken(answer: Fields): GrantedToken | null {
  if (answer.ok === false || answer.success === false || readRefusal(answer).error !== null) return null;
  const places = [answer, ...WRAPPERS.map((name) => answer[name]).filter(isJsonObject)];
  for (const place of places) {
    const accessToken = textOf(place.access_token ?? place.accessToken);
    // RFC 6749, A.12: visible characters. Anything else could not be sent in a header.
    if (accessToken === null || !/^[\x21-\x7e]+$/.test(accessToken)) continue;
    return {
      accessToken,
      refreshToken: textOf(place.refresh_token ?? place.refreshToken),
      lifetimeMs: lifetimeOf(place.expires_in ?? place.expiresIn),
      tokenType: textOf(place.token_type ?? place.tokenType)?.toLowerCase() ?? null,
    };
  }
  return null;
}

/** Reads the error of RFC 6749, 5.2, or what other services have in its place. */
export function readRefusal(answer: Fields): TokenRefusal {
  const nested = isJsonObject(answer.error) ? answer.error : {};
  const error =
    textOf(answer.error) ??
    textOf(nested.code) ??
    textOf(nested.type) ??
    textOf(nested.status) ??
    textOf(answer.error_code) ??
    textOf(answer.errorCode) ??
    // HubSpot: `{ "status": "BAD_REFRESH_TOKEN", "message": … }`.
    (/^[A-Z_]+$/.test(String(answer.status)) ? textOf(answer.status) : null);
  const description =
    textOf(answer.error_description) ?? textOf(nested.message) ?? textOf(answer.message) ?? textOf(answer.hint);
  return { error: error?.toLowerCase() ?? null, description };
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
