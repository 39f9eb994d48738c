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

  const FORM = "application/x-www-form-urlencoded";
  it.each<[string, unknown, string]>([
    [FORM, { a: "x y&z", b: 1, c: true, d: null, e: "" }, "a=x+y%26z&b=1&c=true&e="],
    [`${FORM.toUpperCase()}; charset=UTF-8`, { a: "é" }, "a=%C3%A9"],
    [FORM, { tags: ["a", "b", null], none: [] }, "tags=a&tags=b"],
    [FORM, { "tags[]": [1, 2] }, "tags%5B%5D=1&tags%5B%5D=2"],
    [FORM, { card: { number: 42, owner: { name: "A" } } }, "card%5Bnumber%5D=42&card%5Bowner%5D%5Bname%5D=A"],
    [FORM, { lines: [{ sku: "A" }, { sku: "B" }] }, "lines%5B0%5D%5Bsku%5D=A&lines%5B1%5D%5Bsku%5D=B"],
    [FORM, "already=a+b&raw=%E9", "already=a+b&raw=%E9"],
    [FORM, { a: [[1, 2], [3]] }, "a%5B0%5D%5B0%5D=1&a%5B0%5D%5B1%5D=2&a%5B1%5D%5B0%5D=3"],
    [FORM, { a: [{ x: 1 }, null, { x: null }, true] }, "a%5B0%5D%5Bx%5D=1&a%5B3%5D=true"],
    [FORM, { "a b&c=d": "x=y&z", "": "e", "__proto__ ": 1 }, "a+b%26c%3Dd=x%3Dy%26z&=e&__proto__+=1"],
    [FORM, { id: "8202522731445525542", flag: false, zero: 0 }, "id=8202522731445525542&flag=false&zero=0"],
    [FORM, {}, ""],
    [`${FORM}; charset=ISO-8859-1`, { é: "à b&c", n: [1, "ü"] }, "%E9=%E0+b%26c&n=1&n=%FC"],
    [`${FORM};charset="windows-1251"`, { a: "x*y_z.-~" }, "a=x*y_z.-%7E"],
    [`${FORM};charset=UTF8`, { a: "ж" }, "a=%D0%B6"],
    ["application/vnd.api+json", { a: 1 }, '{"a":1}'],
    ["Application/JSON; charset=iso-8859-1", { a: "é" }, '{"a":"é"}'],
    ["application/json", ' {"a": 1} ', ' {"a": 1} '],
    ["application/json", 7, "7"],
    ["application/json", [1, "x"], '[1,"x"]'],
    ["application/x-ndjson", [{ a: 1 }, { b: 2 }], '{"a":1}\n{"b":2}\n'],
    ["application/x-amz-json-1.1", { a: 1 }, '{"a":1}'],
    ["text/plain", { a: 1 }, '{"a":1}'],
    ["text/xml", "<a/>", "<a/>"],
    ["text/csv", 7, "7"],
    ["multipart/form-data; boundary=mine", "--mine--", "--mine--"],
  ])("writes the body of %s as its type says: %j", async (type, body, written) => {
    const { sent, call } = exchange();
    await call({ method: "POST", url, headers: { "CONTENT-type": type }, body });
    expect(sent[0]?.body).toBe(written);
    expect(sent[0]?.headers["content-type"]).toBe(type);
  });

  it("writes an object as the parts of multipart/form-data, with a boundary of its own and with files", async () => {
    const { sent, call } = exchange();
    const file = { filename: "a.txt", content_type: "text/x-note", data: Buffer.from("hi").toString("base64") };
    const body = { note: "ü", file, tags: ["a", "b"], nested: { x: 1 }, gone: null };
    const headers = { "content-type": "multipart/form-data; boundary=mine" };
    await call({ method: "POST", url, headers, body });
    const type = String(sent[0]?.headers["content-type"]);
    expect(type).toMatch(/^multipart\/form-data; boundary=signalbox-[0-9a-f]{40}$/);
    const form = await new Response(sent[0]?.body as Uint8Array<ArrayBuffer>, {
      headers: { "content-type": type },
    }).formData();
    expect([form.get("note"), form.getAll("tags"), form.get("nested[x]"), form.has("gone")]).toEqual([
      "ü",
      ["a", "b"],
      "1",
      false,
    ]);
    const sentFile = form.get("file") as File;
    expect([sentFile.name, sentFile.type, await sentFile.text()]).toEqual(["a.txt", "text/x-note", "hi"]);
  });

  it("writes a text in the charset of its type", async () => {
    const { sent, call } = exchange();
    const send = (type: string, body: string) => call({ method: "POST", url, headers: { "content-type": type }, body });
    await send("text/plain; charset=ISO-8859-1", "é");
    await send('text/xml; charset="windows-1251"', "abc");
    await send("text/plain; charset=utf-8", "é");
    expect(sent.map(({ body }) => Buffer.from(body ?? "").toString("hex"))).toEqual(["e9", "616263", "c3a9"]);
    await expect(send("text/plain; charset=iso-8859-1", "ж")).rejects.toThrow("charset iso-8859-1. Use utf-8");
    await expect(send("text/plain; charset=windows-1251", "ж")).rejects.toThrow("charset windows-1251");
    const form = {
      method: "POST",
      url,
      headers: { "content-type": `${FORM}; charset=windows-1251` },
      body: { a: "ж" },
    };
    await expect(call(form)).rejects.toThrow("charset windows-1251. Use utf-8");
  });

  it.each(["", " "])("an empty content type (%j) is as if there were none", async (type) => {
    const { sent, call } = exchange();
    await call({ method: "POST", url, headers: { "content-type": type }, body: { a: 1 } });
    expect(sent[0]).toMatchObject({ headers: { "content-type": "application/json" }, body: '{"a":1}' });
  });

  it("sends a file as the body of its type", async () => {
    const { sent, call } = exchange();
    const body = { data: Buffer.from([1, 2]).toString("base64"), filename: "a.png" };
    await call({ method: "PUT", url, headers: { "content-type": "image/png" }, body });
    expect(Buffer.from(sent[0]?.body ?? "")).toEqual(Buffer.from([1, 2]));
  });

  it.each<[string, unknown]>([
    ["text/xml", { a: 1 }],
    ["application/soap+xml; charset=utf-8", { a: 1 }],
    ["text/csv", [1]],
    ["image/png", { a: 1 }],
    ["multipart/mixed", { a: 1 }],
    ["multipart/form-data", "no boundary"],
    ["multipart/form-data", [1]],
    [FORM, [1]],
    [FORM, 7],
    [FORM, true],
    ["application/msgpack", { a: 1 }],
    ["application/x-protobuf", { a: 1 }],
    ["application/vnd.ms-excel", { a: 1 }],
    ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", [1]],
    ["application/senml+cbor", { a: 1 }],
    ["application/json", "{a: 1}"],
    ["application/problem+json", "plain"],
  ])("refuses a body that %s can't hold: %j", async (type, body) => {
    const { sent, call } = exchange();
    await expect(call({ method: "POST", url, headers: { "content-type": type }, body })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringMatching(/^body: .* can't be sent as /),
    });
    expect(sent).toEqual([]);
  });

  it.each([null, undefined, ""])("has no body if it is %j, whatever the type", async (body) => {
    const { sent, call } = exchange();
    await call({ url, headers: { "content-type": "text/xml" }, body });
    expect(sent[0]).not.toHaveProperty("body");
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
  it("is JSON if its type says so, with all headers but those of the connection", async () => {
    const headers = {
      ...JSON_TYPE,
      "set-cookie": "session=1",
      server: "x",
      "x-next-page": "2",
      "x-shop-api-call-limit": "1/40",
    };
    const { call } = exchange({ headers: { ...headers, connection: "close", "keep-alive": "5" }, body: '{"a":[1]}' });
    expect(await call({ url })).toEqual({ status: 200, headers, body: { a: [1] } });
  });

  it("has at most 100 headers and 32 KiB of them, and those that describe the content first", async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`x-${at}`, "v"]));
    const kept = (await exchange({ headers: { ...many, etag: "e" } }).call({ url })) as { headers: object };
    expect(Object.keys(kept.headers)).toHaveLength(100);
    expect(kept.headers).toMatchObject({ "x-0": "v", etag: "e" });
    const large = { "x-large": "v".repeat(40_000), "x-small": "v" };
    expect(await exchange({ headers: large }).call({ url })).toMatchObject({ headers: { "x-small": "v" } });
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
