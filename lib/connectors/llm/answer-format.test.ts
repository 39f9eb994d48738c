import { describe, expect, it } from "vitest";
import { ANTHROPIC_CONNECTOR } from "#lib/connectors/llm/anthropic";
import { ANSWER_SCHEMA, useModels } from "#lib/connectors/llm/models.fixture";
import { OPENAI_CONNECTOR } from "#lib/connectors/llm/openai";
import { anthropicMessage, chatCompletion } from "#lib/connectors/llm/provider.fixture";

const models = useModels();
const OBJECT = '{"category":"refund","amounts":[]}';

const refusal = (message: string, more: object = {}) => ({ status: 400, body: { error: { message, ...more } } });
const formats = () =>
  models.provider.requests.map(({ body }) => (body.response_format as { type?: string } | undefined)?.type ?? "none");

describe("a provider that refuses json_schema", () => {
  it.each([
    ["deepseek", refusal("This response_format type is unavailable now", { type: "invalid_request_error" })],
    ["groq", refusal("This model does not support response format `json_schema`.")],
    ["a name in param", refusal("Unsupported value", { param: "response_format.type" })],
    ["python", { status: 422, body: { detail: [{ loc: ["body", "response_format", "type"], msg: "Bad input" }] } }],
  ])(
    "(%s) is asked for JSON with the schema in the prompt, and the next step starts with it",
    async (model, answer) => {
      models.provider.answers.push(answer, chatCompletion(OBJECT), chatCompletion(OBJECT));
      const given = { model, output_schema: ANSWER_SCHEMA };
      expect(await models.generate(OPENAI_CONNECTOR, given)).toMatchObject({ object: { category: "refund" } });
      expect(await models.generate(OPENAI_CONNECTOR, given)).toMatchObject({ object: { category: "refund" } });
      expect(formats()).toEqual(["json_schema", "json_object", "json_object"]);
      const [first, second] = models.provider.requests;
      expect(second?.body.messages).toMatchObject([
        { content: expect.stringContaining(JSON.stringify(ANSWER_SCHEMA)) },
      ]);
      expect(second?.headers["idempotency-key"]).not.toBe(first?.headers["idempotency-key"]);
    },
  );

  it("and json_object, too, is asked in the prompt alone", async () => {
    const no = refusal("response_format is not supported");
    models.provider.answers.push(no, no, chatCompletion(OBJECT), chatCompletion(OBJECT));
    const given = { model: "plain", output_schema: ANSWER_SCHEMA };
    await models.generate(OPENAI_CONNECTOR, given);
    await models.generate(OPENAI_CONNECTOR, given);
    expect(formats()).toEqual(["json_schema", "json_object", "none", "none"]);
  });

  it("does not change how another model of the connection is asked", async () => {
    models.provider.answers.push(chatCompletion(OBJECT));
    await models.generate(OPENAI_CONNECTOR, { model: "another", output_schema: ANSWER_SCHEMA });
    expect(formats()).toEqual(["json_schema"]);
  });

  it("is asked in the prompt if it imitates Anthropic", async () => {
    models.provider.answers.push(
      refusal("output_config: Extra inputs are not permitted", { type: "invalid_request_error" }),
      anthropicMessage(OBJECT),
    );
    const given = { model: "imitation", output_schema: ANSWER_SCHEMA };
    expect(await models.generate(ANTHROPIC_CONNECTOR, given)).toMatchObject({ object: { category: "refund" } });
    expect(models.provider.requests.map(({ body }) => "output_config" in body)).toEqual([true, false]);
  });
});

describe("an error about something else is not asked again", () => {
  it.each([
    refusal("Invalid schema for response_format 'output': 'oneOf' is not permitted.", { param: "response_format" }),
    refusal("max_tokens is too large: 100000."),
    refusal("This model's maximum context length is 8192 tokens.", { code: "context_length_exceeded" }),
    refusal("Unsupported parameter: 'max_tokens' is not supported with this model.", { param: "max_tokens" }),
    { status: 401, body: { error: { message: "No access to response_format" } } },
  ])("%j", async (answer) => {
    models.provider.answers.push(answer);
    await expect(models.generate(OPENAI_CONNECTOR, { output_schema: ANSWER_SCHEMA })).rejects.toThrow("answered 4");
    expect(models.provider.requests).toHaveLength(1);
  });

  it("nor is a step without output_schema", async () => {
    models.provider.answers.push(refusal("response_format is not supported"));
    await expect(models.generate(OPENAI_CONNECTOR)).rejects.toThrow("response_format is not supported");
    expect(models.provider.requests).toHaveLength(1);
  });
});
