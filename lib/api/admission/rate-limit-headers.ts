import type { RateWindow } from "#lib/domain/limits/take-request";

/** Of every runtime answer once the key is known. */
export const RATE_HEADERS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] as const;

/** Sent where there is no limit: clients that pace themselves by `remaining` go on, and both stay integers. */
const NO_LIMIT = 2_147_483_647;

/**
 * The headers every runtime answer carries once authentication succeeded (contract, Limits). `retry-after` belongs to a
 * 429 alone.
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
