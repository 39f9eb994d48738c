import { expect, test } from "vitest";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import { customOperation } from "#lib/connectors/custom/call-custom";
import { INLINE_COMPUTE } from "#lib/connectors/inline-compute.fixture";
import { attachCredentials } from "#lib/connectors/sdk/attach-credentials";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { OutgoingRequest, OutgoingResponse } from "#lib/core/engine/outgoing-request";

const BASE = "https://api.example.com";

function stage(get: JsonObject, answer: Partial<Omit<OutgoingResponse, "body">> & { body?: string } = {}) {
  const { definition } = buildDefinition({
    name: "A",
    baseUrl: BASE,
    auth: "none",
    document: { openapi: "3.1.0", paths: { "/things": { get } } },
  });
  const [operation] = definition.operations;
  if (!operation) throw new Error("there is one");
  const sent: OutgoingRequest[] = [];
  const credentials = {
    origins: [BASE],
    sign: (request: OutgoingRequest) => ({ ...request, headers: { ...request.headers, authorization: "Bearer s" } }),
  };
  const call = (params: JsonObject) =>
    customOperation(definition, operation).call(params, {
      signal: new AbortController().signal,
      idempotencyKey: "run:step:",
      traceparent: "00-0-0-00",
      connection: null,
      compute: INLINE_COMPUTE,
      now: () => new Date("2026-01-01T00:00:00Z"),
      send: async (request) => {
        sent.push(attachCredentials({ ...request, credentials }, new URL(request.url), false));
        return { status: 200, headers: {}, ...answer, body: Buffer.from(answer.body ?? "") };
      },
    });
  return { sent, call };
}

test("an error is in the words of the service", async () => {
  const body = JSON.stringify({ type: "about:blank", title: "Bad Request", detail: "limit must be at most 100" });
  const { call } = stage({}, { status: 422, headers: { "content-type": "application/problem+json" }, body });
  await expect(call({})).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    message: "api.example.com answered 422: limit must be at most 100",
  });
});

test("nothing is sent with params that do not fit, and the error names the parameter", async () => {
  const parameters = [
    { name: "limit", in: "query", schema: { type: "integer" } },
    { name: "X-Trace", in: "header", schema: { type: "string" } },
  ];
  const { sent, call } = stage({ parameters });
  for (const [params, message] of [
    [{ query: { limit: "ten" } }, "query.limit: must be an integer"],
    [{ query: { limits: 5 } }, 'query.limits: is not a parameter of the operation; did you mean "limit"?'],
    [{ path: {} }, 'path: is not a parameter of the operation; its parameters are "query" and "header"'],
    [{ query: [] }, "query: must be an object"],
    [{ header: { "X-Trace": "a\r\nb: c" } }, "header.X-Trace is not a valid HTTP header"],
  ] as const) {
    await expect(call(params)).rejects.toMatchObject({ code: "VALIDATION_ERROR", message });
  }
  expect(sent).toEqual([]);
});

test("credentials go to the server of an operation only if their connection allows its host", async () => {
  const own = stage({ servers: [{ url: `${BASE}/v2` }] });
  await own.call({});
  expect(own.sent[0]).toMatchObject({ url: `${BASE}/v2/things`, headers: { authorization: "Bearer s" } });
  const other = stage({ servers: [{ url: "https://files.example.com" }] });
  await expect(other.call({})).rejects.toMatchObject({
    message: "url: the connection's credentials go to https://api.example.com, not to https://files.example.com",
  });
  expect(other.sent).toEqual([]);
});
