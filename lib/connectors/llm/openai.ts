import { z } from "zod";
import {
  cutOff,
  generateOperation,
  listModelIds,
  modelsSentence,
  type ProviderApi,
  refused,
} from "#lib/connectors/llm/call-provider";
import { enforceableSchema, isStrictSchema, requireAll } from "#lib/connectors/llm/enforceable-schema";
import { type Generation, messagesOf } from "#lib/connectors/llm/generation";
import { baseUrlField, headerSecret } from "#lib/connectors/sdk/connection-fields";
import type { ConnectorDefinition, ServiceContext } from "#lib/connectors/sdk/define-connector";
import { StepError } from "#lib/contract/step-error";

const STANDARD_URL = "https://api.openai.com/v1";

/** Compatible servers return the answer as a text or in parts. */
const part = z.looseObject({ text: z.string().optional(), refusal: z.string().optional() });
const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z
          .object({ content: z.union([z.string(), z.array(part)]).nullish(), refusal: z.string().nullish() })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
});

/** Uses Chat Completions, which every compatible server supports. */
const API: ProviderApi = {
  name: "openai",
  buildRequest: (generation, baseUrl) => {
    const { model, system, outputSchema, temperature, maxTokens } = generation;
    const messages = [...(system ? [{ role: "system", content: system }] : []), ...messagesOf(generation)];
    // OpenAI's newer models reject the old name; compatible servers know only the old name.
    const limitName = new URL(baseUrl).hostname === "api.openai.com" ? "max_completion_tokens" : "max_tokens";
    const body = {
      model,
      messages,
      ...(temperature === null ? {} : { temperature }),
      ...(maxTokens === null ? {} : { [limitName]: maxTokens }),
      ...(outputSchema ? { response_format: responseFormat(outputSchema) } : {}),
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

/** What OpenAI and servers that pass on other vendors' models call them. */
const FILTER_STOPS: ReadonlySet<string> = new Set([
  "content_filter",
  "safety",
  "recitation",
  "blocklist",
  "prohibited_content",
  "spii",
  "refusal",
]);
const LENGTH_STOPS: ReadonlySet<string> = new Set(["length", "max_tokens", "model_length"]);

function readCompletion(body: unknown, generation: Generation) {
  const parsed = completion.safeParse(body);
  const choice = parsed.data?.choices[0];
  if (!choice) throw new StepError("answer_unreadable", "The model's response can't be read: it contains no choice");
  const { content } = choice.message ?? {};
  const parts = Array.isArray(content) ? content : [];
  const refusal = choice.message?.refusal || parts.map((one) => one.refusal ?? "").join("");
  const stop = (choice.finish_reason ?? "").toLowerCase();
  if (refusal) throw refused(refusal);
  if (FILTER_STOPS.has(stop)) throw refused("its content filter stopped the answer");
  if (LENGTH_STOPS.has(stop)) throw cutOff(generation);
  const usage = parsed.data?.usage;
  return {
    text: typeof content === "string" ? content : parts.map((one) => one.text ?? "").join(""),
    usage: { input_tokens: usage?.prompt_tokens ?? 0, output_tokens: usage?.completion_tokens ?? 0 },
  };
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
