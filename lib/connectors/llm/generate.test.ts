import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { INLINE_COMPUTE } from "#lib/connectors/inline-compute.fixture";
import { ANTHROPIC_CONNECTOR } from "#lib/connectors/llm/anthropic";
import { OPENAI_CONNECTOR } from "#lib/connectors/llm/openai";
import {
  anthropicMessage,
  chatCompletion,
  startProvider,
  type TestProvider,
} from "#lib/connectors/llm/provider.fixture";
import { createOutgoingClient, type OutgoingClient } from "#lib/connectors/safe-fetch";
import type { ConnectorDefinition } from "#lib/connectors/sdk/define-connector";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import type { OutgoingRequest } from "#lib/core/engine/outgoing-request";
import type { ConnectorOperation } from "#lib/core/engine/ports";

const KEY = "sk-test-0123456789abcdef";
const SCHEMA = {
  type: "object",
  properties: {
    category: { type: "string", enum: ["refund", "question"] },
    amounts: { type: "array", items: { type: "number", minimum: 0 } },
  },
  required: ["category", "amounts"],
};

let provider: TestProvider;
let client: OutgoingClient;
beforeAll(async () => {
  provider = await startProvider(KEY);
  client = createOutgoingClient(parseOutboundAllow("127.0.0.1"));
});
beforeEach(() => {
  provider.requests.length = 0;
  provider.answers.length = 0;
});
afterAll(async () => {
  provider.close();
  await client.close();
});

/** Calls the operation as a step does, with a connection to the provider. */
function generate(
  connector: ConnectorDefinition,
  params: Record<string, unknown> = {},
  { key = KEY, signal = new AbortController().signal } = {},
) {
  const [auth] = connector.auths;
  const values = { base_url: baseUrlOf(connector), api_key: key };
  const send = (request: OutgoingRequest) => {
    const origins = auth?.origins(values) ?? [];
    return client.send({ ...request, credentials: { origins, sign: (plain) => auth?.sign(plain, values) ?? plain } });
  };
  const connection = { name: "Test", connector: connector.name, settings: { base_url: values.base_url }, send };
  const operation = connector.operations.generate as ConnectorOperation;
  return operation.call(
    { model: "model-a", prompt: "Say hello", ...params },
    {
      signal,
      idempotencyKey: "run:ask:",
      traceparent: "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01",
      send,
      connection,
      compute: INLINE_COMPUTE,
      now: () => new Date("2026-01-01T00:00:00Z"),
    },
  );
}

const baseUrlOf = (connector: ConnectorDefinition) =>
  connector === OPENAI_CONNECTOR ? `${provider.url}/v1` : provider.url;

describe("an OpenAI-compatible provider", () => {
  it("receives the prompt, the key and our idempotency key, and returns text and usage", async () => {
    const given = { system: "Be short.", temperature: 0.2, max_tokens: 50 };
    expect(await generate(OPENAI_CONNECTOR, given)).toEqual({
      text: "Hello",
      usage: { input_tokens: 12, output_tokens: 3, total_tokens: 15 },
    });
    expect(provider.requests).toMatchObject([
      {
        method: "POST",
        path: "/v1/chat/completions",
        headers: { authorization: `Bearer ${KEY}`, "idempotency-key": "run:ask:" },
        body: {
          model: "model-a",
          messages: [
            { role: "system", content: "Be short." },
            { role: "user", content: "Say hello" },
          ],
          temperature: 0.2,
          max_tokens: 50,
        },
      },
    ]);
  });

  it("is asked for an object by its schema, in strict mode if possible", async () => {
    provider.answers.push(chatCompletion('{"category":"refund","amounts":[1.5]}'));
    const given = await generate(OPENAI_CONNECTOR, { output_schema: SCHEMA });
    expect(given).toMatchObject({ object: { category: "refund", amounts: [1.5] } });
    expect(provider.requests[0]?.body.response_format).toEqual({
      type: "json_schema",
      json_schema: {
        name: "output",
        strict: true,
        schema: {
          ...SCHEMA,
          properties: { ...SCHEMA.properties, amounts: { type: "array", items: { type: "number" } } },
          additionalProperties: false,
        },
      },
    });
    const loose = { ...SCHEMA, required: ["category"] };
    provider.answers.push(chatCompletion('{"category":"refund"}'));
    await generate(OPENAI_CONNECTOR, { output_schema: loose });
    expect(provider.requests[1]?.body.response_format).toMatchObject({ json_schema: { strict: false, schema: loose } });
  });

  it.each([
    [
      "refused",
      chatCompletion(null, { message: { content: null, refusal: "I cannot do that." } }),
      "I cannot do that.",
    ],
    ["was filtered", chatCompletion("", { finish_reason: "content_filter" }), "content filter"],
    ["was cut off", chatCompletion("Hel", { finish_reason: "length" }), "cut off at max_tokens (50)"],
  ])("returns no partial answer when it %s", async (_name, answer, words) => {
    provider.answers.push(answer);
    await expect(generate(OPENAI_CONNECTOR, { max_tokens: 50 })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining(words),
    });
  });

  it("causes an upstream failure when it responds with something else", async () => {
    provider.answers.push({ body: { choices: [] } });
    await expect(generate(OPENAI_CONNECTOR)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });
});

describe("Anthropic", () => {
  it("receives the prompt, the key and the version, and returns the text without the thinking", async () => {
    expect(await generate(ANTHROPIC_CONNECTOR, { system: "Be short." })).toEqual({
      text: "Hello",
      usage: { input_tokens: 12, output_tokens: 3, total_tokens: 15 },
    });
    expect(provider.requests).toMatchObject([
      {
        path: "/v1/messages",
        headers: { "x-api-key": KEY, "anthropic-version": "2023-06-01" },
        body: {
          model: "model-a",
          max_tokens: 8192,
          system: "Be short.",
          messages: [{ role: "user", content: "Say hello" }],
        },
      },
    ]);
    expect(provider.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("is asked for an object by its schema, without the keywords it cannot enforce", async () => {
    provider.answers.push(anthropicMessage('{"category":"question","amounts":[]}'));
    expect(await generate(ANTHROPIC_CONNECTOR, { output_schema: SCHEMA })).toMatchObject({
      object: { category: "question" },
    });
    expect(provider.requests[0]?.body.output_config).toMatchObject({
      format: {
        type: "json_schema",
        schema: { additionalProperties: false, properties: { amounts: { items: { type: "number" } } } },
      },
    });
  });

  it.each([
    ["refusal", "refused"],
    ["max_tokens", "cut off at max_tokens (8192)"],
    ["model_context_window_exceeded", "cut off"],
  ])("returns no partial answer when it stops for %s", async (stop_reason, words) => {
    provider.answers.push(anthropicMessage("", { stop_reason }));
    await expect(generate(ANTHROPIC_CONNECTOR)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining(words),
    });
  });
});

describe.each([
  ["openai", OPENAI_CONNECTOR, chatCompletion],
  ["anthropic", ANTHROPIC_CONNECTOR, anthropicMessage],
] as const)("a failure of %s", (_name, connector, success) => {
  const vendorError = { type: "error", error: { type: "some_error", message: "What the vendor says." } };

  it("is AUTH_EXPIRED for 401", async () => {
    await expect(generate(connector, {}, { key: "sk-wrong-key-000000" })).rejects.toMatchObject({
      code: "AUTH_EXPIRED",
    });
  });

  it.each([
    [400, "VALIDATION_ERROR"],
    [403, "VALIDATION_ERROR"],
    [404, "VALIDATION_ERROR"],
    [500, "UPSTREAM_ERROR"],
    [529, "UPSTREAM_ERROR"],
  ])("with status %i is %s and quotes the vendor's message", async (status, code) => {
    provider.answers.push({ status, body: vendorError });
    await expect(generate(connector)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`answered ${status}: What the vendor says.`),
    });
  });

  it.each([
    ["7", 7_000],
    ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
  ])("with status 429 and Retry-After %s is RATE_LIMITED for that time", async (value, retryAfterMs) => {
    provider.answers.push({
      status: 429,
      headers: { "retry-after": value, date: "Thu, 01 Jan 2026 00:00:00 GMT" },
      body: vendorError,
    });
    await expect(generate(connector)).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterMs });
  });

  it("names the part of an object that does not match the schema", async () => {
    provider.answers.push(success('{"category":"refund","amounts":[1,-2]}'));
    await expect(generate(connector, { output_schema: SCHEMA })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: "The model's answer does not match output_schema: /amounts/1 must be >= 0",
    });
    provider.answers.push(success("Sure! Here it is: {}"));
    await expect(generate(connector, { output_schema: SCHEMA })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("with an endless body ends when the step's time is over", async () => {
    provider.answers.push({ isEndless: true });
    const abort = new AbortController();
    const asked = generate(connector, {}, { signal: abort.signal });
    const timer = setInterval(() => provider.requests.length > 0 && abort.abort(new Error("time is up")), 5);
    await expect(asked).rejects.toThrow("time is up");
    clearInterval(timer);
  });
});

describe("output_schema", () => {
  const answer = (schema: Record<string, unknown>, object: unknown) => {
    provider.answers.push(chatCompletion(JSON.stringify(object)));
    return generate(OPENAI_CONNECTOR, { output_schema: { type: "object", ...schema } });
  };

  it("that is not a JSON Schema, or never ends, is rejected", async () => {
    await expect(answer({ properties: { a: { type: "strnig" } } }, {})).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("output_schema is not a usable JSON Schema"),
    });
    await expect(answer({ $ref: "https://example.com/schema.json" }, {})).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
    await expect(answer({ allOf: [{ $ref: "#" }] }, {})).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("that doubles its work with every line is aborted in time", async () => {
    const twice = (index: number) => ({ allOf: [{ $ref: `#/$defs/d${index}` }, { $ref: `#/$defs/d${index}` }] });
    const lines = Array.from({ length: 60 }, (_, index) => [`d${index}`, twice(index + 1)]);
    const last = { type: "object", properties: { a: { $ref: "#/$defs/d60" } } };
    const $defs = Object.fromEntries([...lines, ["d60", last]]);
    await expect(answer({ $defs, ...twice(0) }, {})).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: "output_schema takes more than 2 s to check",
    });
  });

  it("matches patterns in linear time", async () => {
    const hostile = { properties: { a: { type: "string", pattern: "^(a+)+$" } } };
    await expect(answer(hostile, { a: `${"a".repeat(50_000)}!` })).rejects.toMatchObject({
      message: expect.stringContaining("/a must match pattern"),
    });
  });
});
