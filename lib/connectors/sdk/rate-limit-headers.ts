import { parseHttpDate } from "#lib/connectors/sdk/parse-wait";
import { LIMITS } from "#lib/contract/limits";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";

type Headers = OutgoingResponse["headers"];

/** Header pairs: when a window ends, and how many calls are left in it. */
const WINDOWS = [
  // IETF draft-ietf-httpapi-ratelimit-headers, up to version 07.
  ["ratelimit-reset", "ratelimit-remaining"],
  ["x-ratelimit-reset", "x-ratelimit-remaining"],
  ["x-rate-limit-reset", "x-rate-limit-remaining"],
  // OpenAI and compatible services.
  ["x-ratelimit-reset-requests", "x-ratelimit-remaining-requests"],
  ["x-ratelimit-reset-tokens", "x-ratelimit-remaining-tokens"],
  ["anthropic-ratelimit-requests-reset", "anthropic-ratelimit-requests-remaining"],
  ["anthropic-ratelimit-tokens-reset", "anthropic-ratelimit-tokens-remaining"],
  ["anthropic-ratelimit-input-tokens-reset", "anthropic-ratelimit-input-tokens-remaining"],
  ["anthropic-ratelimit-output-tokens-reset", "anthropic-ratelimit-output-tokens-remaining"],
  // Discord: seconds from now.
  ["x-ratelimit-reset-after", "x-ratelimit-remaining"],
] as const;
/** OpenAI and Azure: more precise than Retry-After, or in its place. */
const MILLISECONDS = ["retry-after-ms", "x-ms-retry-after-ms"] as const;

/** A smaller number is a duration in seconds: as a time it would be before 2001. */
const EPOCH_SECONDS_MIN = 1e9;
const EPOCH_MILLISECONDS_MIN = 1e12;
const EPOCH_MICROSECONDS_MIN = 1e14;
const EPOCH_NANOSECONDS_MIN = 1e17;
const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** Reports whether a response says that no calls are left. Some services refuse them with 403. */
export function hasNoCallsLeft(headers: Headers): boolean {
  return (
    WINDOWS.some(([, remaining]) => isZero(headers[remaining])) || policiesOf(headers).some(({ left }) => isZero(left))
  );
}

/**
 * Returns how long to wait until calls are accepted again, for a response without Retry-After: the longest of the
 * windows in which no calls are left, at most a day. A window with calls left is not the reason for the refusal.
 */
export function waitForReset(headers: Headers, now: Date): number | null {
  const windows = [
    ...WINDOWS.map(([reset, remaining]) => ({ reset: headers[reset], left: headers[remaining] })),
    ...policiesOf(headers),
  ];
  const waits = windows
    .filter(({ left }) => left === undefined || isZero(left))
    .map(({ reset }) => parseReset(reset?.trim() ?? "", now) ?? 0);
  const longest = Math.min(Math.max(...waits), LIMITS.rateLimitResetMs);
  // The end of a window that is over says nothing, so the step's own pause applies.
  return longest > 0 ? longest : null;
}

/** Returns the wait of a header that states it in milliseconds, at most a day; null without one. */
export function waitInMilliseconds(headers: Headers): number | null {
  const waits = MILLISECONDS.map((name) => headers[name]?.trim() ?? "").filter((text) => /^\d+(?:\.\d+)?$/.test(text));
  return waits.length === 0 ? null : Math.min(Math.ceil(Number(waits[0])), LIMITS.rateLimitResetMs);
}

/**
 * Reads the field RateLimit of the IETF draft: `"default";r=0;t=30` for each policy, or in versions up to 07
 * `limit=100, remaining=0, reset=30`.
 */
function policiesOf({ ratelimit = "" }: Headers): { reset: string | undefined; left: string | undefined }[] {
  const parameter = (text: string, name: string) => new RegExp(`(?:^|[;,\\s])${name}=(\\d+)`).exec(text)?.[1];
  if (/;\s*t=/.test(ratelimit)) {
    return ratelimit.split(",").map((policy) => ({ reset: parameter(policy, "t"), left: parameter(policy, "r") }));
  }
  return [{ reset: parameter(ratelimit, "reset"), left: parameter(ratelimit, "remaining") }];
}

function isZero(text: string | undefined): boolean {
  return text !== undefined && /^\s*0+\s*$/.test(text);
}

/** Returns the milliseconds of a time that is written in seconds, or in thousandths, millionths or billionths of them. */
function epochMs(number: number): number {
  if (number < EPOCH_MILLISECONDS_MIN) return number * 1_000;
  if (number < EPOCH_MICROSECONDS_MIN) return number;
  return number / (number < EPOCH_NANOSECONDS_MIN ? 1_000 : 1_000_000);
}

/** Parses seconds, a time as epoch seconds or milliseconds, a duration such as `6m0s`, or a date. */
function parseReset(text: string, now: Date): number | null {
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    const number = Number(text);
    if (number < EPOCH_SECONDS_MIN) return Math.ceil(number * 1_000);
    return Math.ceil(epochMs(number)) - now.getTime();
  }
  if (/^(?:\d+(?:\.\d+)?(?:ms|h|m|s))+$/.test(text)) {
    const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
    return Math.ceil(parts.reduce((sum, [, number, unit = ""]) => sum + Number(number) * (UNIT_MS[unit] ?? 0), 0));
  }
  // Without a zone, it is UTC.
  const until = parseHttpDate(text, now) ?? parseHttpDate(`${text.replace(/^(\S{10}) /, "$1T")}Z`, now);
  return until === null ? null : until - now.getTime();
}
