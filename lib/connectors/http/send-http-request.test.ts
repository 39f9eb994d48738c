import { describe, expect, it } from "vitest";
import { HTTP_OPERATIONS } from "#lib/connectors/http/operations";
import { sendHttpRequest } from "#lib/connectors/http/send-http-request";
import { INLINE_COMPUTE } from "#lib/connectors/inline-compute.fixture";
import { AnsweredError } from "#lib/core/engine/answered-error";
import type { OutgoingRequest, OutgoingResponse } from "#lib/core/engine/outgoing-request";
import type { OperationContext } from "#lib/core/engine/ports";

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

function exchange(answer: Partial<Omit<OutgoingResponse, "body">> & { body?: string | Buffer } = {}) {
  const sent: OutgoingRequest[] = [];
  const context: OperationContext = {
    signal: new AbortController().signal,
    idempotencyKey: "run:node:",
    traceparent: "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01",
    now: () => new Date("2026-01-01T00:00:00Z"),
    connection: null,
    compute: INLINE_COMPUTE,
    send: async (request) => {
      sent.push(request);
      return { status: 200, headers: {}, ...answer, body: Buffer.from(answer.body ?? "") };
    },
  };
  return { sent, call: (params: unknown) => sendHttpRequest(params, context) };
}

const url = "https://api.example/things";

describe("the request", () => {
  it("carries the idempotency key and the trace, and sends an object as JSON", async () => {
    const { sent, call } = exchange();
    await call({ method: "post", url, query: { q: "a b", tags: [1, true], none: null }, body: { x: 1 } });
    expect(sent[0]).toMatchObject({
      method: "POST",
      url: `${url}?q=a+b&tags=1&tags=true`,
      body: '{"x":1}',
      headers: {
        "idempotency-key": "run:node:",
        traceparent: "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01",
        "content-type": "application/json",
      },
    });
  });

  it("sends text as it is, and lets the workflow's headers win", async () => {
    const { sent, call } = exchange();
    await call({
      method: "PUT",
      url,
      body: "<a/>",
      headers: { "Content-Type": "application/xml", "Idempotency-Key": "mine", empty: null },
    });
    expect(sent[0]?.body).toBe("<a/>");
    expect(sent[0]?.headers).toMatchObject({ "content-type": "application/xml", "idempotency-key": "mine" });
    expect(sent[0]?.headers.empty).toBeUndefined();
  });

  it.each([
    ["?a=%20&b=%2F&flag&c=%E9&d=x+y;z&", "?a=%20&b=%2F&flag&c=%E9&d=x+y;z&q=1"],
    ["?", "?q=1"],
    ["?q=0#part", "?q=0&q=1#part"],
  ])("adds the query to a URL that ends with %s and keeps the rest of it byte for byte", async (own, sentUrl) => {
    const { sent, call } = exchange();
    await call({ url: url + own, query: { q: 1, none: null, empty: [] } });
    expect(sent[0]?.url).toBe(url + sentUrl);
    await call({ url: url + own, query: { none: null } });
    expect(sent[1]?.url).toBe(url + own);
  });

  it.each([
    ["method", { method: "TRACE", url }],
    ["url", { url: 5 }],
    ["headers.host", { url, headers: { Host: "internal" } }],
    ["headers.transfer-encoding", { url, headers: { "Transfer-Encoding": "chunked" } }],
    ["headers.x", { url, headers: { x: "a\r\nb: c" } }],
    ["timeout_ms", { url, timeout_ms: 30_001 }],
    ["query.q", { url, query: { q: {} } }],
  ])("rejects an invalid %s by name", async (field, params) => {
    const { sent, call } = exchange();
    await expect(call(params)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining(field),
    });
    expect(sent).toEqual([]);
  });

  it("may be repeated after a timeout if its method is idempotent", () => {
    const { isIdempotent } = HTTP_OPERATIONS.request;
    expect([{}, { method: "put" }, { method: "DELETE" }].every(isIdempotent)).toBe(true);
    expect([{ method: "post" }, { method: "PATCH" }].some(isIdempotent)).toBe(false);
  });
});

describe("the response", () => {
  it("is JSON if its type says so, and drops cookies and the server's own headers", async () => {
    const headers = { ...JSON_TYPE, "set-cookie": "session=1", server: "x", "x-request-id": "r1" };
    const { call } = exchange({ headers, body: '{"a":[1]}' });
    expect(await call({ url })).toEqual({
      status: 200,
      headers: { "content-type": JSON_TYPE["content-type"], "x-request-id": "r1" },
      body: { a: [1] },
    });
  });

  it.each([
    ["text", { headers: { "content-type": "text/plain" }, body: "hello" }, "hello"],
    [
      "text in its charset",
      { headers: { "content-type": "text/html; charset=latin1" }, body: Buffer.from([0xe9]) },
      "é",
    ],
    ["problem+json", { headers: { "content-type": "application/problem+json" }, body: "[1]" }, [1]],
    ["nothing", { status: 204 }, null],
    ["text without a type", { body: "hi" }, "hi"],
  ])("reads %s", async (_name, answer, body) => {
    expect(await exchange(answer).call({ url })).toMatchObject({ body });
  });

  it.each([
    [
      "binary",
      { headers: { "content-type": "image/png" }, body: Buffer.from([0x89, 0x50, 0, 0xff]) },
      "VALIDATION_ERROR",
    ],
    ["declared as JSON but invalid", { headers: JSON_TYPE, body: "<html>" }, "UPSTREAM_ERROR"],
    ["nested too deeply", { headers: JSON_TYPE, body: "[".repeat(40) + "]".repeat(40) }, "VALIDATION_ERROR"],
    ["of too many values", { headers: JSON_TYPE, body: `[${"[],".repeat(200_000)}0]` }, "VALIDATION_ERROR"],
  ])("is rejected when it is %s", async (_name, answer, code) => {
    await expect(exchange(answer).call({ url })).rejects.toMatchObject({ code });
  });
});

describe("a status of 400 or more (contract, Errors)", () => {
  it.each([
    [400, "VALIDATION_ERROR"],
    [401, "AUTH_EXPIRED"],
    [403, "VALIDATION_ERROR"],
    [404, "VALIDATION_ERROR"],
    [408, "UPSTREAM_ERROR"],
    [422, "VALIDATION_ERROR"],
    [429, "RATE_LIMITED"],
    [500, "UPSTREAM_ERROR"],
    [503, "UPSTREAM_ERROR"],
  ])("%i is %s and counts as a response", async (status, code) => {
    const failure = await exchange({ status })
      .call({ url })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AnsweredError);
    expect(failure).toMatchObject({ code, message: `api.example answered ${status}` });
  });

  it("quotes the service's reason in a few words", async () => {
    const body = JSON.stringify({ error: "email: is required", pad: "x".repeat(500) });
    const failure = await exchange({ status: 422, headers: JSON_TYPE, body })
      .call({ url })
      .catch((error: Error) => error.message);
    expect(failure).toContain('api.example answered 422: {"error":"email: is required"');
    expect(String(failure).length).toBeLessThan(250);
  });

  it.each([
    ["seconds", { "retry-after": "7" }, 7_000],
    ["a date", { "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
    [
      "a date, by the clock of the service",
      { "retry-after": "Thu, 01 Jan 2026 10:00:30 GMT", date: "Thu, 01 Jan 2026 10:00:00 GMT" },
      30_000,
    ],
    ["a date that has passed", { "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    ["nonsense", { "retry-after": "soon" }, undefined],
  ])("reads Retry-After as %s", async (_name, headers, retryAfterMs) => {
    await expect(exchange({ status: 429, headers }).call({ url })).rejects.toMatchObject({ retryAfterMs });
  });
});
