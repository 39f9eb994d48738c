import { z } from "zod";
import { askInPrompt } from "#lib/connectors/llm/answer-format";
import { generateOperation, listModelIds, modelsSentence, type ProviderApi } from "#lib/connectors/llm/call-provider";
import { enforceableSchema, isStrictSchema, requireAll } from "#lib/connectors/llm/enforceable-schema";
import { type Generation, messagesOf } from "#lib/connectors/llm/generation";
import { readUsage } from "#lib/connectors/llm/read-usage";
import { assertComplete, refused } from "#lib/connectors/llm/stop-reasons";
import { baseUrlField, headerSecret } from "#lib/connectors/sdk/connection-fields";
import type { ConnectorDefinition, ServiceContext } from "#lib/connectors/sdk/define-connector";
import { StepError } from "#lib/contract/step-error";

const STANDARD_URL = "https://api.openai.com/v1";

/** Compatible servers return the answer as a text or in parts. What a model thought may be a part, too. */
const part = z.looseObject({
  type: z.string().optional(),
  text: z.string().optional(),
  refusal: z.string().optional(),
});
const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z
          .object({
            content: z
              .union([z.string(), z.array(z.union([z.string().transform((text) => ({ text })), part]))])
              .nullish(),
            refusal: z.string().nullish(),
          })
          .nullish(),
        finish_reason: z.unknown().optional(),
      }),
    )
    .min(1),
  usage: z.unknown().optional(),
});
type AnswerPart = z.output<typeof part>;

const THOUGHTS: ReadonlySet<string> = new Set(["thinking", "reasoning", "redacted_thinking"]);

/** Uses Chat Completions, which every compatible server supports. */
const API: ProviderApi = {
  name: "openai",
  formats: ["json_schema", "json_object", "prompt"],
  buildRequest: (generation, baseUrl, format) => {
    const { model, system, outputSchema, temperature, maxTokens } = generation;
    const isEnforced = outputSchema === null || format === "json_schema";
    const asked = messagesOf(isEnforced ? generation : askInPrompt(generation));
    const messages = [...(system ? [{ role: "system", content: system }] : []), ...asked];
    // OpenAI's newer models reject the old name; compatible servers know only the old name.
    const limitName = new URL(baseUrl).hostname === "api.openai.com" ? "max_completion_tokens" : "max_tokens";
    const body = {
      model,
      messages,
      ...(temperature === null ? {} : { temperature }),
      ...(maxTokens === null ? {} : { [limitName]: maxTokens }),
      ...(outputSchema && format === "json_schema" ? { response_format: responseFormat(outputSchema) } : {}),
      ...(outputSchema && format === "json_object" ? { response_format: { type: "json_object" } } : {}),
    };
    return { path: "/chat/completions", body };
  },
  readAnswer: (body, generation) => readCompletion(body, generation),
};

/** Strict if the schema allows it: then the model cannot violate the schema. */
function responseFormat(schema: Record<string, unknown>): unknown {
  const complete = requireAll(enforceableSchema(schema));
  const strict = isStrictSchema(complete);
  return { type: "json_schema", json_schema: { name: "output", strict, schema: strict ? complete : schema } };
}

function readCompletion(body: unknown, generation: Generation) {
  const parsed = completion.safeParse(body);
  const choice = parsed.data?.choices[0];
  if (!choice) throw new StepError("answer_unreadable", "The model's response can't be read: it contains no choice");
  const { content, refusal } = choice.message ?? {};
  const parts: AnswerPart[] = typeof content === "string" ? [{ text: content }] : (content ?? []);
  const refusals = refusal || parts.map((one) => one.refusal ?? "").join("");
  if (refusals) throw refused(refusals);
  const spoken = parts.filter(({ type }) => !THOUGHTS.has(type ?? ""));
  const text = spoken.map((one) => one.text ?? "").join("");
  assertComplete(choice.finish_reason, text, generation);
  return { text, usage: readUsage(parsed.data?.usage) };
}

const listModels = (probe: ServiceContext) => listModelIds(probe, "/models");

export const OPENAI_CONNECTOR: ConnectorDefinition = {
  name: "openai",
  label: "OpenAI or compatible",
  description: "Call models of OpenAI, or of any server with a compatible API: vLLM, Ollama, OpenRouter and others",
  keywords: "chatgpt gpt ai model prompt vllm ollama openrouter deepseek mistral",
  auths: [
    {
      name: "api_key",
      label: "API key",
      fields: [
        baseUrlField(
          STANDARD_URL,
          "The URL that /chat/completions is appended to. Enter another server's URL to use its models.",
        ),
        {
          name: "api_key",
          label: "API key",
          kind: "secret",
          isRequired: false,
          help: "Leave empty if your own server needs none.",
          schema: headerSecret,
        },
      ],
      origins: ({ base_url: baseUrl = STANDARD_URL }) => [new URL(baseUrl).origin],
      sign: (request, { api_key: key }) =>
        key === undefined ? request : { ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } },
      test: async (probe) => modelsSentence(probe.settings.base_url, await listModels(probe)),
    },
  ],
  operations: { generate: generateOperation(API) },
  listModels,
};
