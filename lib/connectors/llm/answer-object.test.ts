import { describe, expect, it } from "vitest";
import { ANTHROPIC_CONNECTOR } from "#lib/connectors/llm/anthropic";
import { ANSWER_SCHEMA, useModels } from "#lib/connectors/llm/models.fixture";
import { OPENAI_CONNECTOR } from "#lib/connectors/llm/openai";
import { anthropicMessage, chatCompletion } from "#lib/connectors/llm/provider.fixture";
import { CorrectableError } from "#lib/core/engine/answered-error";

const models = useModels();

describe.each([
  ["openai", OPENAI_CONNECTOR, chatCompletion],
  ["anthropic", ANTHROPIC_CONNECTOR, anthropicMessage],
] as const)("the object of %s", (_name, connector, success) => {
  it.each([
    ["a fence", 'Here it is:\n```json\n{"category":"refund","amounts":[]}\n```\nAnything else?'],
    ["thoughts", '<think>\nA {refund}?\n</think>\n\n{"category":"refund","amounts":[]}'],
    ["both", '<think>Hm</think>```\n{"category":"refund","amounts":[]}\n```'],
    ["nothing, although a text in it has a fence", '{"category":"refund","amounts":[],"note":"```\\nx\\n```"}'],
  ])("is read if it is wrapped in %s", async (_wrapping, text) => {
    models.provider.answers.push(success(text));
    const given = await models.generate(connector, { output_schema: { ...ANSWER_SCHEMA, additionalProperties: true } });
    expect(given).toMatchObject({ object: { category: "refund", amounts: [] } });
  });

  it("keeps the digits of a long number as a text, and says where", async () => {
    const text = 'Sure:\n```json\n{"order":{"id":8202522731445525542},"lines":[{"sku":-9007199254740993}],"n":7}\n```';
    models.provider.answers.push(success(text));
    const noted: unknown[] = [];
    const given = await models.generate(
      connector,
      { output_schema: { type: "object", required: ["order"] } },
      { noteNumber: (field, path) => noted.push([field, ...path]) },
    );
    expect(given).toMatchObject({
      object: { order: { id: "8202522731445525542" }, lines: [{ sku: "-9007199254740993" }], n: 7 },
    });
    expect(noted).toEqual([
      ["object", "order", "id"],
      ["object", "lines", 0, "sku"],
    ]);
  });

  it("with a long number where the schema wants a number fails at once, and says what to declare", async () => {
    models.provider.answers.push(success('{"id":9007199254740993}'));
    const schema = { type: "object", properties: { id: { type: "integer" } } };
    const failure = await models.generate(connector, { output_schema: schema }).catch((error: unknown) => error);
    expect(failure).not.toBeInstanceOf(CorrectableError);
    expect(failure).toMatchObject({
      code: "VALIDATION_ERROR",
      message:
        "The model's answer: /id is a number beyond 2^53, which would lose digits. Declare it as a string in output_schema",
    });
  });

  it("that does not fit can be corrected: the next attempt shows it, and counts the tokens of both", async () => {
    models.provider.answers.push(
      success('{"category":"refnd","amounts":[]}'),
      success('{"category":"refund","amounts":[]}'),
    );
    const failure = await models.generate(connector, { output_schema: ANSWER_SCHEMA }).catch((error: unknown) => error);
    if (!(failure instanceof CorrectableError)) throw failure;
    expect(failure.reason).toBe("answer_mismatch");
    const { correction } = failure;
    expect(await models.generate(connector, { output_schema: ANSWER_SCHEMA, correction })).toMatchObject({
      object: { category: "refund" },
      usage: { input_tokens: 24, output_tokens: 6, total_tokens: 30 },
    });
    expect(models.provider.requests[1]?.body.messages).toEqual([
      { role: "user", content: "Say hello" },
      { role: "assistant", content: '{"category":"refnd","amounts":[]}' },
      { role: "user", content: expect.stringContaining("/category must be equal to one of the allowed values") },
    ]);
  });
});

describe("output_schema", () => {
  const answer = (schema: Record<string, unknown>, object: unknown) => {
    models.provider.answers.push(chatCompletion(JSON.stringify(object)));
    return models.generate(OPENAI_CONNECTOR, { output_schema: { type: "object", ...schema } });
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
