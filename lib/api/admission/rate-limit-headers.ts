import type { ApiError } from "#lib/contract/api-error";
import type { RateWindow } from "#lib/domain/limits/take-request";

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
