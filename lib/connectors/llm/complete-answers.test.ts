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
    "Stop Sequence",
    "FINISH_REASON_STOP",
    "ALTERNATIVE_STATUS_FINAL",
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
    ["blacklist", "VALIDATION_ERROR", "content filter"],
    ["IMAGE_PROHIBITED_CONTENT", "VALIDATION_ERROR", "content filter"],
    ["MODEL_ARMOR", "VALIDATION_ERROR", "content filter"],
    ["content-filter", "VALIDATION_ERROR", "content filter"],
    ["ALTERNATIVE_STATUS_CONTENT_FILTER", "VALIDATION_ERROR", "content filter"],
    ["ALTERNATIVE_STATUS_TRUNCATED_FINAL", "VALIDATION_ERROR", "cut off"],
    ["ALTERNATIVE_STATUS_PARTIAL", "UPSTREAM_ERROR", '"ALTERNATIVE_STATUS_PARTIAL"'],
    ["max_new_tokens", "VALIDATION_ERROR", "cut off"],
    ["ERROR_LIMIT", "VALIDATION_ERROR", "the provider's token limit"],
    ["model_context_window_exceeded", "VALIDATION_ERROR", "the provider's token limit"],
    ["time_limit", "UPSTREAM_ERROR", '"time_limit"'],
    ["OTHER", "UPSTREAM_ERROR", '"OTHER"'],
    ["FINISH_REASON_UNSPECIFIED", "UPSTREAM_ERROR", '"FINISH_REASON_UNSPECIFIED"'],
    ["UNEXPECTED_TOOL_CALL", "UPSTREAM_ERROR", '"UNEXPECTED_TOOL_CALL"'],
    ["malformed_model_output", "UPSTREAM_ERROR", '"malformed_model_output"'],
    ["null", "UPSTREAM_ERROR", '"null"'],
    [false, "UPSTREAM_ERROR", '"false"'],
    [{ type: "max_tokens" }, "VALIDATION_ERROR", "cut off"],
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
    ["max_tokens", "Let me", "cut off"],
    ["max_tokens", "", "cut off"],
    ["refusal", "I can't", "refused to answer: I can't"],
    ["model_context_window_exceeded", "Let me", "cut off"],
    ["guardrail_intervened", "Let me", "content filter"],
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

describe("the reason of an answer is found where a provider has it:", () => {
  it.each<[string, Record<string, unknown>, string | null]>([
    ["that of the provider behind a gateway", { finish_reason: null, native_finish_reason: "MAX_TOKENS" }, "cut off"],
    ["details", { finish_reason: null, finish_details: { type: "max_tokens" } }, "cut off"],
    ["details of a complete answer", { finish_reason: undefined, finish_details: { type: "stop" } }, null],
    ["the gateway's, if both give one", { finish_reason: "stop", native_finish_reason: "SOMETHING" }, null],
  ])("%s", async (_name, choice, words) => {
    const answer = asked(chatCompletion("Hel", choice));
    if (words === null) expect(await answer).toMatchObject({ text: "Hel" });
    else await expect(answer).rejects.toThrow(words);
  });
});

describe("the text of an answer is read from every form of its content:", () => {
  it.each<[string, unknown, string]>([
    ["a part in place of a list", { type: "text", text: "Hello" }, "Hello"],
    ["a part whose text is an object", [{ type: "text", text: { value: "Hello", annotations: [] } }], "Hello"],
    [
      "thoughts without text",
      [
        { type: "thinking", text: null },
        { type: "text", text: "Hello" },
      ],
      "Hello",
    ],
    ["thoughts with a mark", [{ text: "Hm", thought: true }, { text: "Hello" }], "Hello"],
    [
      "thoughts by another name",
      [
        { type: "reasoning_text", text: "Hm" },
        { type: "text", text: "Hello" },
      ],
      "Hello",
    ],
    ["an empty part", [null, { type: "text", text: "Hello" }, { type: "text", text: "" }], "Hello"],
    ["references", [{ type: "text", text: "Hel" }, { type: "reference", reference_ids: [1] }, "lo"], "Hello"],
  ])("%s", async (_name, content, text) => {
    expect(await asked(chatCompletion(null, { message: { content } }))).toMatchObject({ text });
    models.provider.answers.push(anthropicMessage("", { content: [content].flat() }));
    expect(await models.generate(ANTHROPIC_CONNECTOR)).toMatchObject({ text });
  });

  it.each<[unknown]>([[42], [true], [{ category: "refund" }], [[{ type: "text", text: 42 }]], [[["a"]]], [["a", 7]]])(
    "content that is %j is no answer",
    async (content) => {
      await expect(asked(chatCompletion(null, { message: { content } }))).rejects.toMatchObject({
        reason: "answer_unreadable",
        message: expect.stringContaining("neither text nor parts"),
      });
    },
  );

  it.each<[object, string]>([
    [{ content: "I am sorry", refusal: "No." }, "refused to answer: No."],
    [{ content: null, refusal: true }, "refused to answer"],
    [{ content: [{ type: "refusal", refusal: "No." }] }, "refused to answer: No."],
  ])("a refusal in %j is an error", async (message, words) => {
    await expect(asked(chatCompletion(null, { message }))).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining(words),
    });
  });

  it.each([false, "", null, []])("a refusal that is %j is none", async (refusal) => {
    expect(await asked(chatCompletion(null, { message: { content: "Hello", refusal } }))).toMatchObject({
      text: "Hello",
    });
  });

  it("a prompt that Gemini's filter blocks is refused, although there is no choice", async () => {
    const body = { promptFeedback: { blockReason: "SAFETY" }, usageMetadata: {} };
    await expect(asked({ body })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("blocked the prompt (SAFETY)"),
    });
  });
});

describe("a response that is no answer says what it is:", () => {
  const done = JSON.stringify(chatCompletion("Hello").body);
  it.each<[string, string, string, RegExp]>([
    ["a page", "text/html", "<!doctype html><title>App</title>", /it is a page\. Check the base URL/],
    ["a page under the name of JSON", "application/json", "<html></html>", /isn't valid JSON/],
    ["a stream", "text/event-stream", 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n', /stream/],
    ["a stream of comments", "text/event-stream", ": OPENROUTER PROCESSING\n\n", /stream of events/],
    ["a text", "text/plain", "Hello", /text that is not JSON/],
    ["nothing", "application/json", "", /nothing to read/],
    ["blanks", "application/json", " \n ", /nothing to read/],
    ["half of one", "application/json", done.slice(0, -20), /isn't valid JSON/],
    ["two in a row", "application/json", done + done, /isn't valid JSON/],
    ["names in another case", "application/json", done.replace("choices", "Choices"), /no choice/],
    ["no choice", "application/json", '{"choices":[]}', /no choice/],
    ["a list of answers", "application/json", `[${done}]`, /no choice/],
    ["an answer of another API", "application/json", '{"object":"response","output":[]}', /no choice/],
  ])("%s", async (_name, type, text, message) => {
    await expect(asked({ text, headers: { "content-type": type } })).rejects.toMatchObject({
      reason: "answer_unreadable",
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ["blanks in front, as gateways write them while they wait", `${" \n".repeat(400)}${done}`],
    ["a byte order mark", `\uFEFF${done}`],
  ])("but %s are no fault", async (_name, text) => {
    expect(await asked({ text, headers: { "content-type": "text/plain" } })).toMatchObject({ text: "Hello" });
  });

  it("an error in a stream that was not asked for is the error", async () => {
    const text = ': waiting\n\nevent: error\ndata: {"error":{"code":429,"message":"Slow down."}}\r\n\r\n';
    for (const connector of [OPENAI_CONNECTOR, ANTHROPIC_CONNECTOR]) {
      models.provider.answers.push({ text, headers: { "content-type": "text/event-stream" } });
      await expect(models.generate(connector)).rejects.toMatchObject({
        code: "RATE_LIMITED",
        message: expect.stringContaining("Slow down."),
      });
    }
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
    [[], none],
    [7, none],
    [{ prompt_tokens: 1.5, completion_tokens: 1e300 }, none],
    [
      { prompt_tokens: null, input_tokens: 4 },
      { input_tokens: 4, output_tokens: 0, total_tokens: 4 },
    ],
    // Gateways repeat Anthropic's names next to a count that contains them.
    [
      { prompt_tokens: 100, completion_tokens: 5, cache_read_input_tokens: 80, cache_creation_input_tokens: 10 },
      { input_tokens: 100, output_tokens: 5, total_tokens: 105 },
    ],
    [
      { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 80 },
      { input_tokens: 90, output_tokens: 5, total_tokens: 95 },
    ],
    [
      { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 80 } },
      { input_tokens: 100, output_tokens: 5, total_tokens: 105 },
    ],
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
    [{ choices: [{ ...half, finish_reason: null, error: { code: 502 } }] }, "UPSTREAM_ERROR", "502"],
    [{ choices: [{ ...half, finish_reason: "stop" }], error: { code: 429 } }, "RATE_LIMITED", "429"],
    [{ choices: [{ ...half, finish_reason: "stop" }], error: "overloaded" }, "UPSTREAM_ERROR", "overloaded"],
    [
      { choices: [{ ...half, finish_reason: "stop" }], error: [{ code: 503, message: "Busy." }] },
      "UPSTREAM_ERROR",
      "Busy.",
    ],
    [{ error: 429 }, "RATE_LIMITED", "429"],
    [{ error: true, message: "Broken." }, "UPSTREAM_ERROR", "Broken."],
    [{ error: { message: "Rate limit reached for requests" } }, "RATE_LIMITED", "Rate limit reached"],
    [{ code: "Throttling.RateQuota", message: "Requests rate limit exceeded" }, "RATE_LIMITED", "Requests rate"],
    [
      { base_resp: { status_code: 1002, status_msg: "rate limit exceeded" }, choices: null },
      "RATE_LIMITED",
      "rate limit",
    ],
    [{ base_resp: { status_code: 1004, status_msg: "login fail" } }, "UPSTREAM_ERROR", "login fail"],
    [{ error_code: 18, error_msg: "Open api qps request limit reached" }, "RATE_LIMITED", "qps request limit"],
    [{ error: { grpcCode: 8, httpCode: 429, message: "Quota exceeded", details: [] } }, "RATE_LIMITED", "Quota"],
    [{ code: 16, message: "Token has expired", details: [] }, "AUTH_EXPIRED", "Token has expired"],
    [{ status: 401, message: "Token has expired" }, "AUTH_EXPIRED", "Token has expired"],
    [
      { error: { code: 429, message: "Provider returned error", metadata: { raw: "model is at capacity" } } },
      "RATE_LIMITED",
      "Provider returned error: model is at capacity",
    ],
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

  it.each([null, "", {}, { code: null, message: "" }, { code: 0, message: "" }, false, 0, "none", []])(
    "but an error that is %j is none",
    async (error) => {
      const { body } = chatCompletion("Hello") as { body: object };
      expect(await asked({ body: { ...body, error } })).toMatchObject({ text: "Hello" });
    },
  );
});

describe("an account without quota is not a rate limit", () => {
  it.each([
    [429, { code: "insufficient_quota", type: "insufficient_quota", message: "You exceeded your current quota" }],
    [429, { code: "billing_hard_limit_reached", type: "invalid_request_error", message: "Billing hard limit" }],
    [429, { type: "exceeded_current_quota_error", message: "Your account is out of credit" }],
    [402, { code: "invalid_request_error", message: "Insufficient Balance" }],
    [200, { code: 402, message: "Insufficient credits" }],
    [200, { code: 1008, message: "insufficient balance" }],
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
