import { describe, expect, test } from "vitest";
import { statusError } from "#lib/connectors/sdk/status-error";
import { LIMITS } from "#lib/contract/limits";

const NOW = new Date("2026-03-01T12:00:00Z");
const EPOCH = NOW.getTime() / 1_000;

function errorOf(status: number, headers: Record<string, string>) {
  const { code, retryAfterMs } = statusError("api.example.com", { status, headers, body: Buffer.from("{}") }, NOW);
  return { code, retryAfterMs };
}

describe("a 429 without Retry-After waits as its rate limit says:", () => {
  test.each<[Record<string, string>, number | undefined]>([
    [{ "ratelimit-reset": "30" }, 30_000],
    [{ ratelimit: '"default";r=0;t=45' }, 45_000],
    [{ ratelimit: '"burst";r=0;t=5, "daily";r=900;t=3600' }, 5_000],
    [{ ratelimit: '"burst";r=0;t=5, "hour";r=0;t=600' }, 600_000],
    [{ ratelimit: "limit=100, remaining=0, reset=20" }, 20_000],
    [{ "x-ratelimit-reset": String(EPOCH + 90), "x-ratelimit-remaining": "0" }, 90_000],
    [{ "x-ratelimit-reset": String((EPOCH + 90) * 1_000) }, 90_000],
    [{ "x-ratelimit-reset": "2.5" }, 2_500],
    [{ "x-rate-limit-reset": String(EPOCH + 15) }, 15_000],
    [{ "x-ratelimit-reset": "2026-03-01T12:00:10Z" }, 10_000],
    [{ "x-ratelimit-reset-requests": "6m0s" }, 360_000],
    [{ "x-ratelimit-reset-requests": "1h2m3.5s" }, 3_723_500],
    [{ "x-ratelimit-reset-requests": "20ms" }, 20],
    [
      {
        ...{ "x-ratelimit-remaining-requests": "59", "x-ratelimit-reset-requests": "6m0s" },
        ...{ "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "12s" },
      },
      12_000,
    ],
    // The service's own clock counts.
    [{ "x-ratelimit-reset": String(EPOCH + 90), date: "Sun, 01 Mar 2026 12:01:00 GMT" }, 30_000],
    // Retry-After wins.
    [{ "retry-after": "3", "ratelimit-reset": "30" }, 3_000],
    // The window that has calls left is not the reason, and one that is over says nothing.
    [{ "x-ratelimit-reset": "30", "x-ratelimit-remaining": "12" }, undefined],
    [{ "x-ratelimit-reset": String(EPOCH - 5) }, undefined],
    [{ "x-ratelimit-reset": "soon" }, undefined],
    [{}, undefined],
    [{ "x-ratelimit-reset": String(EPOCH + 31 * 86_400) }, LIMITS.rateLimitResetMs],
  ])("%j", (headers, retryAfterMs) => {
    expect(errorOf(429, headers)).toEqual({ code: "RATE_LIMITED", retryAfterMs });
  });
});

test("a 403 is a rate limit only if no calls are left", () => {
  const reset = { "x-ratelimit-reset": String(EPOCH + 60) };
  expect(errorOf(403, { ...reset, "x-ratelimit-remaining": "0" })).toEqual({
    code: "RATE_LIMITED",
    retryAfterMs: 60_000,
  });
  expect(errorOf(403, { ratelimit: '"default";r=0;t=7' })).toEqual({ code: "RATE_LIMITED", retryAfterMs: 7_000 });
  for (const headers of [{ ...reset, "x-ratelimit-remaining": "10" }, reset, {}] as Record<string, string>[]) {
    expect(errorOf(403, headers)).toEqual({ code: "VALIDATION_ERROR", retryAfterMs: undefined });
  }
});

test("an outage waits only for Retry-After, because a rate limit is not its reason", () => {
  expect(errorOf(503, { "x-ratelimit-reset": "30" })).toEqual({ code: "UPSTREAM_ERROR", retryAfterMs: undefined });
  expect(errorOf(503, { "retry-after": "Sun, 01 Mar 2026 12:00:30 GMT" })).toMatchObject({ retryAfterMs: 30_000 });
});

test("an invalid Retry-After is as if it were missing: the headers of the limit count", () => {
  for (const value of ["-5", "+3", "1.", "3, 5", "soon", ""]) {
    const headers = { "retry-after": value };
    expect(errorOf(503, headers), value).toEqual({ code: "UPSTREAM_ERROR", retryAfterMs: undefined });
    expect(errorOf(429, { ...headers, "ratelimit-reset": "30" }), value).toMatchObject({ retryAfterMs: 30_000 });
  }
  expect(errorOf(429, { "x-ratelimit-reset": "-5" }).retryAfterMs).toBeUndefined();
});
