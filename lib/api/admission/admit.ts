import { countFailedKey, hasTooManyFailedKeys } from "#lib/api/admission/limit-source";
import type { KeyCaller } from "#lib/api/operations/define/caller";
import { ApiError } from "#lib/contract/error/api-error";
import { countRequest } from "#lib/domain/keys/count-request";
import { recallKey, verifyKey, verifyKeys } from "#lib/domain/keys/verify-key";
import { type RateWindow, type TakenRequest, takeRequest } from "#lib/domain/limits/take-request";
import { wasRefused } from "#lib/platform/db/classify-database-error";
import { gather } from "#lib/support/gather";
import { shareInProcess } from "#lib/support/share-in-process";

interface Admission {
  caller: KeyCaller;
  window: RateWindow;
}

/**
 * One text for every 401 except the revoked key's, so that it does not reveal which keys exist (decisions, API keys).
 */
const NOT_VALID = "Missing or invalid API key. Send it as: Authorization: Bearer <API_KEY>";

/**
 * Authenticates the Bearer key of a request and counts the request against the key's window. REST and MCP share this
 * function and so the budget. If the window is spent, `window.isAllowed` is false and each surface answers 429 in its
 * own form. Takes one round trip once the process knows the key's identity.
 * @param take spends the request; an operation may read something in the same round trip
 * @throws ApiError UNAUTHORIZED, whatever limit would apply (contract, Errors); a refused key spends nothing
 */
export async function admit(
  headers: Headers,
  take: (keyId: string) => Promise<TakenRequest> = takeRequest,
): Promise<Admission> {
  const refusal = (kind: "UNAUTHORIZED" | "api_key_revoked", text: string) => {
    countFailedKey(headers);
    return new ApiError(kind, text);
  };
  const rawKey = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  const keyId = rawKey === undefined ? null : await findKey(rawKey, headers);
  if (keyId === null) throw refusal("UNAUTHORIZED", NOT_VALID);
  const taken = await take(keyId);
  if (taken.state !== "active") countRequest(keyId, "", 401);
  else if (!taken.window.isAllowed) countRequest(keyId, "", 429);
  if (taken.state === "revoked") throw refusal("api_key_revoked", "API key revoked");
  if (taken.state !== "active") throw refusal("UNAUTHORIZED", NOT_VALID);
  return { caller: { kind: "api_key", keyId, ...taken.key }, window: taken.window };
}

/** The most keys in one statement. Comparing them takes a few milliseconds of the event loop. */
const SHARED_LOOKUP_MAX = 1_000;

/**
 * Looks up the keys of sources that sent too many invalid ones: one statement at a time, which all keys that wait share.
 * So they need no bound and no refusal of their own. Each of them is an open request, which the edge server limits, and
 * the statement takes more of them than a process receives meanwhile.
 */
const shareLookup = shareInProcess("keyLookups", () =>
  gather(verifyKeys, { atOnce: 1, max: SHARED_LOOKUP_MAX, isItemsFault: wasRefused }),
);

/**
 * Returns the id of a key, or null. A source that sent too many invalid keys can still send a valid one, so every key is
 * looked up; but all such sources use one database connection together, and none for keys that this process knows.
 */
async function findKey(rawKey: string, headers: Headers): Promise<string | null> {
  const known = recallKey(rawKey);
  if (known !== null) return known;
  return hasTooManyFailedKeys(headers) ? shareLookup(rawKey) : verifyKey(rawKey);
}

/** Sent with every runtime answer once the key is known. */
export const RATE_HEADERS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] as const;

/** Returns the seconds of `retry-after` on the runtime surface, where only a 429 has it (contract, Limits). */
export function retryAfterOf(error: ApiError): number | undefined {
  return error.status === 429 ? error.retryAfterSeconds : undefined;
}

/** Sent if there is no limit. Clients that pace themselves by `remaining` continue, and both values stay integers. */
const NO_LIMIT = 2_147_483_647;

/**
 * Returns the headers of every runtime answer after successful authentication (contract, Limits). Only a 429 has
 * `retry-after`.
 */
export function rateLimitHeaders(window: RateWindow): Record<string, string> {
  const isUnlimited = window.limit === 0;
  return {
    "x-ratelimit-limit": String(isUnlimited ? NO_LIMIT : window.limit),
    "x-ratelimit-remaining": String(isUnlimited ? NO_LIMIT : window.remaining),
    "x-ratelimit-reset": String(window.resetAt),
    ...(window.isAllowed ? {} : { "retry-after": String(window.retryAfterSeconds) }),
  };
}
