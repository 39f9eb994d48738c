import { describe, expect, it } from "vitest";
import { ANTHROPIC_CONNECTOR } from "#lib/connectors/llm/anthropic";
import { useModels } from "#lib/connectors/llm/models.fixture";
import { OPENAI_CONNECTOR } from "#lib/connectors/llm/openai";
import { anthropicMessage, chatCompletion } from "#lib/connectors/llm/provider.fixture";

const models = useModels();

function asked(answer: object) {
  models.provider.answers.push(answer);
  return models.generate(OPENAI_CONNECTOR);
}

describe("a text is the answer only if the provider says that it is complete", () => {
  it.each([
    "stop",
    "STOP",
    "eos",
    "eos_token",
    "stop_sequence",
    "end_turn",
    "completed",
    "COMPLETE",
    "",
    null,
    undefined,
  ])("and %j says so in the OpenAI API", async (finish_reason) => {
    expect(await asked(chatCompletion("Hello", { finish_reason }))).toMatchObject({ text: "Hello" });
  });

  it.each([
    ["error", "UPSTREAM_ERROR", '"error"'],
    ["insufficient_system_resource", "UPSTREAM_ERROR", '"insufficient_system_resource"'],
    ["abort", "UPSTREAM_ERROR", '"abort"'],
    ["tool_calls", "VALIDATION_ERROR", '"tool_calls"'],
    ["function_call", "VALIDATION_ERROR", '"function_call"'],
    ["MALFORMED_FUNCTION_CALL", "UPSTREAM_ERROR", '"MALFORMED_FUNCTION_CALL"'],
    ["something_new", "UPSTREAM_ERROR", '"something_new"'],
    ["MAX_TOKENS", "VALIDATION_ERROR", "cut off"],
    ["model_length", "VALIDATION_ERROR", "cut off"],
    ["sensitive", "VALIDATION_ERROR", "content filter"],
    [7, "UPSTREAM_ERROR", '"7"'],
  ])("and %j does not, although half a text is there", async (finish_reason, code, words) => {
    await expect(asked(chatCompletion("Hel", { finish_reason }))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
  });

  it.each([
    ["null", { content: null }],
    [
      "null next to a tool call",
      { content: null, tool_calls: [{ id: "a", function: { name: "f", arguments: "{}" } }] },
    ],
    ["empty", { content: "" }],
    ["white space", { content: " \n" }],
    ["an empty list", { content: [] }],
    ["only thoughts", { content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm" }] }] }],
    ["only reasoning", { content: "", reasoning_content: "Hm" }],
  ])("and never if the text is %s", async (_name, message) => {
    await expect(asked(chatCompletion(null, { message }))).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
      message: "The model's answer is empty.",
    });
  });

  it.each([
    ["end_turn", "Hello", null],
    ["stop_sequence", "Hello", null],
    [null, "Hello", null],
    ["tool_use", "Let me", '"tool_use"'],
    ["pause_turn", "Let me", '"pause_turn"'],
    ["end_turn", "", "empty"],
  ])("in the Anthropic API, too: %j with %j", async (stop_reason, text, words) => {
    models.provider.answers.push(anthropicMessage(text, { stop_reason }));
    const answer = models.generate(ANTHROPIC_CONNECTOR);
    if (words === null) expect(await answer).toMatchObject({ text });
    else await expect(answer).rejects.toThrow(words);
  });

  it("and thoughts that come as parts are not in it", async () => {
    const content = [{ type: "reasoning", text: "Hm" }, "Hel", { type: "output_text", text: "lo" }];
    expect(await asked(chatCompletion(null, { message: { content } }))).toMatchObject({ text: "Hello" });
  });
});

describe("an answer counts, whatever the provider says about tokens", () => {
  const none = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  it.each([
    [undefined, none],
    [null, none],
    [{}, none],
    ["a lot", none],
    [{ prompt_tokens: "12", completion_tokens: -3 }, none],
    [{ prompt_tokens: 12 }, { input_tokens: 12, output_tokens: 0, total_tokens: 12 }],
    [
      { input_tokens: 4, output_tokens: 5 },
      { input_tokens: 4, output_tokens: 5, total_tokens: 9 },
    ],
  ])("such as %j", async (usage, expected) => {
    const { body } = chatCompletion("Hello") as { body: object };
    expect(await asked({ body: { ...body, usage } })).toEqual({ text: "Hello", usage: expected });
    models.provider.answers.push(anthropicMessage("Hello", { usage }));
    expect(await models.generate(ANTHROPIC_CONNECTOR)).toMatchObject({ text: "Hello" });
  });
});

describe("a response with status 200 that contains an error fails like the status that it names", () => {
  const half = { message: { content: "Half" }, finish_reason: "error" };
  it.each([
    [{ error: { code: 429, message: "Slow down." } }, "RATE_LIMITED", "Slow down."],
    [{ error: { code: "429", message: "Slow down." } }, "RATE_LIMITED", "Slow down."],
    [{ error: { code: "rate_limit_exceeded", message: "Slow down." } }, "RATE_LIMITED", "Slow down."],
    [{ error: { status: "RESOURCE_EXHAUSTED", message: "Slow down." } }, "RATE_LIMITED", "Slow down."],
    [[{ error: { code: 429, message: "Slow down." } }], "RATE_LIMITED", "Slow down."],
    [{ error: "Rate limit exceeded" }, "RATE_LIMITED", "Rate limit exceeded"],
    [{ error: { code: 401, message: "No auth credentials found" } }, "AUTH_EXPIRED", "No auth credentials found"],
    [{ error: { type: "invalid_request_error", message: "Bad." } }, "VALIDATION_ERROR", "Bad."],
    [
      { error: { type: "invalid_request_error", code: "model_not_found", message: "No x." } },
      "VALIDATION_ERROR",
      "No x.",
    ],
    [{ error: { code: 502, message: "Down." }, choices: [] }, "UPSTREAM_ERROR", "Down."],
    [{ error: { message: "Odd." } }, "UPSTREAM_ERROR", "Odd."],
    [{ object: "error", message: "Too long.", code: 400 }, "VALIDATION_ERROR", "Too long."],
    [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "UPSTREAM_ERROR", "Overloaded"],
    [{ choices: [{ ...half, error: { code: 429, message: "Later." } }] }, "RATE_LIMITED", "Later."],
    [{ choices: [half], error: { code: 500, message: "Broken." } }, "UPSTREAM_ERROR", "Broken."],
    [{ message: "Not here." }, "UPSTREAM_ERROR", "Not here."],
  ])("%j", async (body, code, words) => {
    for (const connector of [OPENAI_CONNECTOR, ANTHROPIC_CONNECTOR]) {
      models.provider.answers.push({ body });
      await expect(models.generate(connector)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(words),
        details: { status: 200 },
      });
    }
  });

  it("and waits as long as Retry-After says", async () => {
    const body = { error: { code: 429, message: "Slow down." } };
    await expect(asked({ body, headers: { "retry-after": "7" } })).rejects.toMatchObject({ retryAfterMs: 7_000 });
  });

  it.each([null, "", {}, { code: null, message: "" }])("but an error that is %j is none", async (error) => {
    const { body } = chatCompletion("Hello") as { body: object };
    expect(await asked({ body: { ...body, error } })).toMatchObject({ text: "Hello" });
  });
});

describe("an account without quota is not a rate limit", () => {
  it.each([
    [429, { code: "insufficient_quota", type: "insufficient_quota", message: "You exceeded your current quota" }],
    [429, { code: "billing_hard_limit_reached", type: "invalid_request_error", message: "Billing hard limit" }],
    [429, { type: "exceeded_current_quota_error", message: "Your account is out of credit" }],
    [402, { code: "invalid_request_error", message: "Insufficient Balance" }],
    [200, { code: 402, message: "Insufficient credits" }],
    [200, { code: "insufficient_quota", message: "You exceeded your current quota" }],
  ])("with status %i and %j: no retry, and the error says why", async (status, error) => {
    await expect(asked({ status, body: { error }, headers: { "retry-after": "1" } })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringMatching(`${error.message}. The account has no quota or credit left`),
    });
  });

  it("and a rate limit stays one", async () => {
    const error = { code: "rate_limit_exceeded", type: "tokens", message: "Limit 30000, used 29000" };
    await expect(asked({ status: 429, body: { error } })).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });
});
