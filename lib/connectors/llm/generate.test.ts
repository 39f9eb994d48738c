import { describe, expect, it } from "vitest";
import { ANTHROPIC_CONNECTOR } from "#lib/connectors/llm/anthropic";
import { ANSWER_SCHEMA, PROVIDER_KEY, useModels } from "#lib/connectors/llm/models.fixture";
import { OPENAI_CONNECTOR } from "#lib/connectors/llm/openai";
import { anthropicMessage, chatCompletion } from "#lib/connectors/llm/provider.fixture";

const models = useModels();

describe("an OpenAI-compatible provider", () => {
  it("receives the prompt, the key and our idempotency key, and returns text and usage", async () => {
    const given = { system: "Be short.", temperature: 0.2, max_tokens: 50 };
    expect(await models.generate(OPENAI_CONNECTOR, given)).toEqual({
      text: "Hello",
      usage: { input_tokens: 12, output_tokens: 3, total_tokens: 15 },
    });
    expect(models.provider.requests).toMatchObject([
      {
        method: "POST",
        path: "/v1/chat/completions",
        headers: { authorization: `Bearer ${PROVIDER_KEY}`, "idempotency-key": "run:ask:" },
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
    models.provider.answers.push(chatCompletion('{"category":"refund","amounts":[1.5]}'));
    const given = await models.generate(OPENAI_CONNECTOR, { output_schema: ANSWER_SCHEMA });
    expect(given).toMatchObject({ object: { category: "refund", amounts: [1.5] } });
    expect(models.provider.requests[0]?.body.response_format).toEqual({
      type: "json_schema",
      json_schema: {
        name: "output",
        strict: true,
        schema: {
          ...ANSWER_SCHEMA,
          properties: { ...ANSWER_SCHEMA.properties, amounts: { type: "array", items: { type: "number" } } },
          additionalProperties: false,
        },
      },
    });
    const loose = { ...ANSWER_SCHEMA, required: ["category"] };
    models.provider.answers.push(chatCompletion('{"category":"refund"}'));
    const open = { ...loose, additionalProperties: true };
    await models.generate(OPENAI_CONNECTOR, { output_schema: open });
    expect(models.provider.requests[1]?.body.response_format).toMatchObject({
      json_schema: { strict: false, schema: open },
    });
  });

  it("stays strict with optional properties: they may be null, and such a null is left out of the object", async () => {
    const lines = { type: "array", items: { type: "object", properties: { note: { type: "string" } } } };
    const nullable = { type: ["string", "null"] };
    const schema = {
      type: "object",
      properties: { category: { type: "string" }, size: { type: "string", enum: ["s"] }, lines, nullable },
      required: ["category", "lines"],
    };
    models.provider.answers.push(
      chatCompletion('{"category":"a","size":null,"lines":[{"note":null}],"nullable":null}'),
    );
    const { object } = (await models.generate(OPENAI_CONNECTOR, { output_schema: schema })) as { object: unknown };
    expect(object).toEqual({ category: "a", lines: [{}], nullable: null });
    const sent = models.provider.requests[0]?.body.response_format as {
      json_schema: { strict: boolean; schema: object };
    };
    expect(sent.json_schema).toMatchObject({
      strict: true,
      schema: {
        required: ["category", "size", "lines", "nullable"],
        properties: { size: { anyOf: [{ type: "string", enum: ["s"] }, { type: "null" }] }, nullable },
      },
    });
  });

  it("may return its answer in parts, and JSON under another content type", async () => {
    const content = [
      { type: "text", text: "Hel" },
      { type: "text", text: "lo" },
    ];
    const answer = chatCompletion(null, { message: { role: "assistant", content } });
    models.provider.answers.push({ ...answer, headers: { "content-type": "text/plain" } });
    expect(await models.generate(OPENAI_CONNECTOR)).toMatchObject({ text: "Hello" });
  });

  it.each([
    [
      "refused",
      chatCompletion(null, { message: { content: null, refusal: "I cannot do that." } }),
      "I cannot do that.",
    ],
    ["was filtered", chatCompletion("", { finish_reason: "content_filter" }), "content filter"],
    [
      "was filtered without a message",
      chatCompletion("", { message: null, finish_reason: "SAFETY" }),
      "content filter",
    ],
    [
      "refused in a part",
      chatCompletion(null, { message: { content: [{ type: "refusal", refusal: "No." }] } }),
      "refused to answer: No.",
    ],
    ["was cut off", chatCompletion("Hel", { finish_reason: "length" }), "cut off at max_tokens (50)"],
  ])("returns no partial answer when it %s", async (_name, answer, words) => {
    models.provider.answers.push(answer);
    await expect(models.generate(OPENAI_CONNECTOR, { max_tokens: 50 })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining(words),
    });
  });

  it("causes an upstream failure when it responds with something else", async () => {
    models.provider.answers.push({ body: { choices: [] } });
    await expect(models.generate(OPENAI_CONNECTOR)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });
});

describe("Anthropic", () => {
  it("receives the prompt, the key and the version, and returns the text without the thinking", async () => {
    expect(await models.generate(ANTHROPIC_CONNECTOR, { system: "Be short." })).toEqual({
      text: "Hello",
      usage: { input_tokens: 12, output_tokens: 3, total_tokens: 15 },
    });
    expect(models.provider.requests).toMatchObject([
      {
        path: "/v1/messages",
        headers: { "x-api-key": PROVIDER_KEY, "anthropic-version": "2023-06-01" },
        body: {
          model: "model-a",
          max_tokens: 8192,
          system: "Be short.",
          messages: [{ role: "user", content: "Say hello" }],
        },
      },
    ]);
    expect(models.provider.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("is asked for an object by its schema, without the keywords it cannot enforce", async () => {
    models.provider.answers.push(anthropicMessage('{"category":"question","amounts":[]}'));
    expect(await models.generate(ANTHROPIC_CONNECTOR, { output_schema: ANSWER_SCHEMA })).toMatchObject({
      object: { category: "question" },
    });
    expect(models.provider.requests[0]?.body.output_config).toMatchObject({
      format: {
        type: "json_schema",
        schema: { additionalProperties: false, properties: { amounts: { items: { type: "number" } } } },
      },
    });
  });

  it.each([
    ["claude-opus-4-6", 0.2],
    ["claude-sonnet-4-6", 0.2],
    ["claude-haiku-4-5-20251001", 0.2],
    ["claude-opus-4-20250514", 0.2],
    ["claude-3-5-haiku-20241022", 0.2],
    ["claude-instant-1.2", 0.2],
    ["anthropic/claude-sonnet-4.5", 0.2],
    ["model-a", 0.2],
    ["claude-opus-4-7", undefined],
    ["anthropic.claude-opus-4-8", undefined],
    ["claude-opus-4-10", undefined],
    ["claude-sonnet-5", undefined],
    ["claude-opus-5-20261101", undefined],
    ["claude-mythos-preview", undefined],
  ])("gets a temperature for %s only if the model takes one", async (model, temperature) => {
    await models.generate(ANTHROPIC_CONNECTOR, { model, temperature: 0.2 });
    expect(models.provider.requests[0]?.body.temperature).toBe(temperature);
  });

  it.each([
    ["refusal", "refused"],
    ["max_tokens", "cut off at max_tokens (8192)"],
    ["model_context_window_exceeded", "cut off"],
  ])("returns no partial answer when it stops for %s", async (stop_reason, words) => {
    models.provider.answers.push(anthropicMessage("", { stop_reason }));
    await expect(models.generate(ANTHROPIC_CONNECTOR)).rejects.toMatchObject({
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
    await expect(models.generate(connector, {}, { key: "sk-wrong-key-000000" })).rejects.toMatchObject({
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
    models.provider.answers.push({ status, body: vendorError });
    await expect(models.generate(connector)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`answered ${status}: What the vendor says.`),
    });
  });

  it.each([
    ["7", 7_000],
    ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
  ])("with status 429 and Retry-After %s is RATE_LIMITED for that time", async (value, retryAfterMs) => {
    models.provider.answers.push({
      status: 429,
      headers: { "retry-after": value, date: "Thu, 01 Jan 2026 00:00:00 GMT" },
      body: vendorError,
    });
    await expect(models.generate(connector)).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterMs });
  });

  it("names the part of an object that does not match the schema", async () => {
    models.provider.answers.push(success('{"category":"refund","amounts":[1,-2]}'));
    await expect(models.generate(connector, { output_schema: ANSWER_SCHEMA })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: "The model's answer does not match output_schema: /amounts/1 must be >= 0",
    });
    models.provider.answers.push(success("Sure! Here it is: {}"));
    await expect(models.generate(connector, { output_schema: ANSWER_SCHEMA })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });

  it("with an endless body ends when the step's time is over", async () => {
    models.provider.answers.push({ isEndless: true });
    const abort = new AbortController();
    const asked = models.generate(connector, {}, { signal: abort.signal });
    const timer = setInterval(() => models.provider.requests.length > 0 && abort.abort(new Error("time is up")), 5);
    await expect(asked).rejects.toThrow("time is up");
    clearInterval(timer);
  });
});
