import { describe, expect, test } from "vitest";
import { limitInSuccess, statusError } from "#lib/connectors/sdk/status-error";
import { LIMITS } from "#lib/contract/limits";

const NOW = new Date("2026-03-01T12:00:00Z");
const EPOCH = NOW.getTime() / 1_000;

function errorOf(status: number, headers: Record<string, string>, body: unknown = {}) {
  const bytes = Buffer.from(JSON.stringify(body));
  const { code, retryAfterMs } = statusError("api.example.com", { status, headers, body: bytes }, NOW);
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
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-reset-requests": "6m0s",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "12s",
      },
      12_000,
    ],
    [{ "x-ratelimit-reset": String((EPOCH + 90) * 1_000_000) }, 90_000],
    [{ "x-ratelimit-reset": `${EPOCH + 90}000000000` }, 90_000],
    [{ "x-ratelimit-reset": "2026-03-01T12:00:10.5" }, 10_500],
    [{ "x-ratelimit-reset": "2026-03-01 12:00:10" }, 10_000],
    [{ "x-ratelimit-reset": "Sun, 01 Mar 2026 12:00:30 GMT" }, 30_000],
    [{ "x-ratelimit-reset": "Sunday, 01-Mar-26 12:00:30 GMT" }, 30_000],
    [{ "x-ratelimit-reset": "Sun Mar  1 12:00:30 2026" }, 30_000],
    [{ "x-ratelimit-reset-after": "1.25", "x-ratelimit-remaining": "0" }, 1_250],
    [
      { "anthropic-ratelimit-tokens-reset": "2026-03-01T12:00:20Z", "anthropic-ratelimit-tokens-remaining": "0" },
      20_000,
    ],
    [{ "retry-after-ms": "1234.5" }, 1_235],
    [{ "x-ms-retry-after-ms": "60" }, 60],
    [{ "retry-after": "soon", "retry-after-ms": "60" }, 60],
    [{ "retry-after-ms": "-60" }, undefined],
    [{ "retry-after-ms": "1e18" }, undefined],
    [{ "retry-after-ms": "999999999999999" }, LIMITS.rateLimitResetMs],
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

test("the Retry-After of a 429 becomes retryAfterMs, in seconds or as a date", () => {
  const wait = (text: string) => errorOf(429, { "retry-after": text });
  expect(wait("7")).toEqual({ code: "RATE_LIMITED", retryAfterMs: 7_000 });
  expect(wait("0120")).toEqual({ code: "RATE_LIMITED", retryAfterMs: 120_000 });
  expect(wait("Sun, 01 Mar 2026 12:00:45 GMT")).toEqual({ code: "RATE_LIMITED", retryAfterMs: 45_000 });
});

test("an invalid Retry-After is as if it were missing: the headers of the limit count", () => {
  for (const value of ["-5", "+3", "1.", "3, 5", "soon", ""]) {
    const headers = { "retry-after": value };
    expect(errorOf(503, headers), value).toEqual({ code: "UPSTREAM_ERROR", retryAfterMs: undefined });
    expect(errorOf(429, { ...headers, "ratelimit-reset": "30" }), value).toMatchObject({ retryAfterMs: 30_000 });
  }
  expect(errorOf(429, { "x-ratelimit-reset": "-5" }).retryAfterMs).toBeUndefined();
});

const meta = (code: number) => ({ error: { message: "(#1)", type: "OAuthException", code, fbtrace_id: "A" } });

test("an error in XML may have the code of a limit", () => {
  const told = (code: string) => {
    const body = Buffer.from(
      `<?xml version="1.0"?><Response><Errors><Error><Code>${code}</Code></Error></Errors></Response>`,
    );
    return statusError("ec2.example.com", { status: 400, headers: { "content-type": "text/xml" }, body }, NOW).code;
  };
  expect([told("RequestLimitExceeded"), told("Throttling"), told("SlowDown"), told("InvalidParameter")]).toEqual([
    ...["RATE_LIMITED", "RATE_LIMITED", "RATE_LIMITED", "VALIDATION_ERROR"],
  ]);
});

describe("a 4xx that says that a limit is its reason is a rate limit:", () => {
  test.each<[string, number, Record<string, string>, unknown, number | undefined]>([
    ["GitHub's secondary limit", 403, { "retry-after": "60", "x-ratelimit-remaining": "4999" }, {}, 60_000],
    [
      "GitHub's primary limit",
      403,
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(EPOCH + 5) },
      {},
      5_000,
    ],
    ["GitHub's words", 403, {}, { message: "You have exceeded a secondary rate limit. Wait." }, undefined],
    ["GitHub's other words", 403, {}, { message: "API rate limit exceeded for user ID 1." }, undefined],
    ["HubSpot's lock", 423, { "retry-after": "2" }, {}, 2_000],
    ["HubSpot's migration", 477, { "retry-after": "86400" }, {}, 86_400_000],
    ["a date", 403, { "retry-after": "Sun, 01 Mar 2026 12:00:30 GMT" }, {}, 30_000],
    ["an old status", 420, { "retry-after": "9" }, {}, 9_000],
    ["Google's reason", 403, {}, { error: { errors: [{ reason: "userRateLimitExceeded" }] } }, undefined],
    ["Google's other reason", 403, {}, { error: { errors: [{ reason: "rateLimitExceeded" }] } }, undefined],
    [
      "Google's details",
      429,
      {},
      { error: { status: "RESOURCE_EXHAUSTED", details: [{ "@type": "QuotaFailure" }, { retryDelay: "3.5s" }] } },
      3_500,
    ],
    ["Salesforce", 403, {}, [{ errorCode: "REQUEST_LIMIT_EXCEEDED", message: "TotalRequests" }], undefined],
    ["AWS", 400, {}, { __type: "ThrottlingException" }, undefined],
    ["DocuSign", 400, {}, { errorCode: "BURST_APIINVOCATION_LIMIT_EXCEEDED" }, undefined],
    ["Linear", 400, {}, { errors: [{ extensions: { code: "RATELIMITED" } }] }, undefined],
    ["an old status without a wait", 420, {}, {}, undefined],
    [
      "AWS by its full name",
      400,
      {},
      { __type: "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException" },
      undefined,
    ],
    ["AWS in a header", 400, { "x-amzn-errortype": "ThrottlingException:http://internal.amazon.com/" }, {}, undefined],
    ["AWS with a throttled account", 400, {}, { __type: "RequestThrottledException" }, undefined],
    [
      "AWS with too many requests",
      400,
      {},
      { __type: "TooManyRequestsException", Message: "Rate exceeded" },
      undefined,
    ],
    ["NetSuite", 400, {}, { error: { code: "SSS_REQUEST_LIMIT_EXCEEDED" } }, undefined],
    ["Google's third reason", 403, {}, { error: { errors: [{ reason: "dailyLimitExceeded" }] } }, undefined],
    ["Google's quota", 403, {}, { error: { errors: [{ reason: "quotaExceeded" }] } }, undefined],
    [
      "a reason behind other details",
      403,
      {},
      { error: { details: [{ "@type": "Help" }, { reason: "RATE_LIMIT_EXCEEDED" }] } },
      undefined,
    ],
    ["Meta", 400, {}, meta(4), undefined],
    ["Meta for a user", 400, {}, meta(17), undefined],
    ["Meta for a page", 403, {}, meta(32), undefined],
    ["Meta for a custom limit", 400, {}, meta(613), undefined],
    ["Meta for a business", 400, {}, meta(80_004), undefined],
    [
      "QuickBooks",
      403,
      {},
      { Fault: { Error: [{ Message: "message=ThrottleExceeded; errorCode=003001" }] } },
      undefined,
    ],
    [
      "Zoho",
      400,
      {},
      { error: "Access Denied", error_description: "You have made too many requests continuously." },
      undefined,
    ],
    ["Airtable", 422, {}, { errors: [{ error: "RATE_LIMIT_REACHED" }] }, undefined],
    ["a number", 400, {}, { error: { code: 429, message: "later" } }, undefined],
    ["DashScope", 400, {}, { code: "Throttling.AllocationQuota" }, undefined],
    ["a wait as text", 429, {}, { retryAfterSeconds: "15" }, 15_000],
    ["Discord", 429, {}, { message: "You are being rate limited.", retry_after: 64.57, global: true }, 64_570],
    ["Telegram", 429, {}, { ok: false, parameters: { retry_after: 14 } }, 14_000],
  ])("%s", (_, status, headers, body, retryAfterMs) => {
    expect(errorOf(status, headers, body)).toEqual({ code: "RATE_LIMITED", retryAfterMs });
  });

  test.each<[string, number, Record<string, string>, unknown]>([
    ["a 403 without a sign", 403, {}, { message: "Resource not accessible by integration" }],
    ["a wait of nothing", 403, { "retry-after": "0" }, {}],
    ["a wait for what does not change", 402, { "retry-after": "5" }, {}],
    ["a wait that is none", 403, { "retry-after": "-5" }, {}],
    ["a limit of something else", 403, {}, { error: { errors: [{ reason: "storageQuotaExceeded" }] } }],
    ["a limit of a field", 400, {}, { code: "LIMIT_EXCEEDED", message: "name is longer than the limit" }],
    ["a number of another service", 400, {}, { error: { code: 4, message: "name is too long" } }],
    ["another number of Meta", 400, {}, meta(190)],
    ["a setting with the name of a limit", 400, {}, { code: "invalid_rate_limit" }],
    ["a word that ends like one", 400, {}, { code: "GENERATE_LIMIT_EXCEEDED" }],
    ["a limit of money", 403, {}, { errorCode: "CREDIT_LIMIT_EXCEEDED" }],
    ["a batch that is too long", 400, {}, { error: { message: "Too many requests in batch, at most 20" } }],
    ["the last call of a window", 404, { "x-ratelimit-remaining": "0" }, {}],
  ])("%s is not", (_, status, headers, body) => {
    expect(errorOf(status, headers, body)).toEqual({ code: "VALIDATION_ERROR", retryAfterMs: undefined });
  });

  test("credentials that are refused stay refused, and an outage stays an outage", () => {
    expect(errorOf(401, { "retry-after": "5" })).toEqual({ code: "AUTH_EXPIRED", retryAfterMs: undefined });
    expect(errorOf(529, { "retry-after": "5" })).toEqual({ code: "UPSTREAM_ERROR", retryAfterMs: 5_000 });
  });
});

describe("a success that says that nothing was done because of a limit is a rate limit:", () => {
  const json = { "content-type": "application/json" };
  const told = (body: unknown, headers: Record<string, string> = json, status = 200) =>
    limitInSuccess("api.example.com", { status, headers, body: Buffer.from(JSON.stringify(body)) }, NOW);
  const cost = { requestedQueryCost: 752, throttleStatus: { currentlyAvailable: 652, restoreRate: 50 } };

  test.each<[string, unknown, number | undefined]>([
    ["Slack", { ok: false, error: "ratelimited" }, undefined],
    ["Shopify", { errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }], extensions: { cost } }, 2_000],
    ["VK", { error: { error_code: 6, error_msg: "Too many requests per second", request_params: [] } }, undefined],
    ["VK's flood control", { error: { error_code: 9, error_msg: "Flood control" } }, undefined],
    ["VK's limit of a method", { error: { error_code: 29, error_msg: "Rate limit reached" } }, undefined],
    ["Marketo", { success: false, errors: [{ code: "606", message: "Max rate limit '100' exceeded" }] }, undefined],
    ["a number", { success: false, code: 429, retry_after: 5 }, 5_000],
    ["GitHub", { data: null, errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }] }, undefined],
    [
      "monday.com",
      { errors: [{ extensions: { code: "COMPLEXITY_BUDGET_EXHAUSTED", retry_in_seconds: 15 } }], data: null },
      15_000,
    ],
  ])("%s", (_, body, retryAfterMs) => {
    expect(told(body)).toMatchObject({ code: "RATE_LIMITED" });
    expect(told(body)?.retryAfterMs).toBe(retryAfterMs);
  });

  test("every other success is a success", () => {
    for (const body of [
      { ok: false, error: "channel_not_found" },
      { ok: true, error: "ratelimited" },
      { data: { shop: { name: "x" } }, errors: [{ extensions: { code: "THROTTLED" } }] },
      { error: "rate_limit" },
      { error: { error_code: 5, error_msg: "User authorization failed: limit" } },
      { response: [], error: { error_code: 6, error_msg: "Too many requests" } },
      { success: true, errors: [{ code: "606", message: "limit" }] },
      { success: false, errors: [{ code: "610", message: "limit" }] },
      [{ errorCode: "REQUEST_LIMIT_EXCEEDED" }],
      "ratelimited",
    ]) {
      expect(told(body)).toBeNull();
    }
    expect(told({ ok: false, error: "ratelimited" }, { "content-type": "text/plain" })).toBeNull();
    expect(told({ ok: false, error: "ratelimited" }, json, 302)).toBeNull();
  });
});
