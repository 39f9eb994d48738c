import { z } from "zod";
import { askInPrompt } from "#lib/connectors/llm/answer-format";
import { generateOperation, listModelIds, modelsSentence, type ProviderApi } from "#lib/connectors/llm/call-provider";
import { enforceableSchema, isStrictSchema, requireAll } from "#lib/connectors/llm/enforceable-schema";
import { type Generation, messagesOf } from "#lib/connectors/llm/generation";
import { readContent } from "#lib/connectors/llm/read-content";
import { readUsage } from "#lib/connectors/llm/read-usage";
import { assertComplete, refused } from "#lib/connectors/llm/stop-reasons";
import { baseUrlField, headerSecret } from "#lib/connectors/sdk/connection-fields";
import type { ConnectorDefinition, ServiceContext } from "#lib/connectors/sdk/define-connector";
import { StepError } from "#lib/contract/run/step-error";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

const STANDARD_URL = "https://api.openai.com/v1";

const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.unknown(), refusal: z.unknown() }).partial().nullish(),
        finish_reason: z.unknown().optional(),
        native_finish_reason: z.unknown().optional(),
        finish_details: z.unknown().optional(),
      }),
    )
    .min(1),
  usage: z.unknown().optional(),
});
type Choice = z.output<typeof completion>["choices"][number];

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
  if (!choice) throw blockedPrompt(body) ?? unreadable("it contains no choice");
  const { content, refusal } = choice.message ?? {};
  const spoken = readContent(content);
  if (spoken === null) throw unreadable("the content of its message is neither text nor parts with text");
  const isRefused = refusal === true || (typeof refusal === "string" && refusal.trim() !== "");
  if (isRefused || spoken.refusal !== "") throw refused(typeof refusal === "string" ? refusal : spoken.refusal);
  assertComplete(stopOf(choice), spoken.text, generation);
  return { text: spoken.text, usage: readUsage(parsed.data?.usage) };
}

function unreadable(what: string): StepError {
  return new StepError("answer_unreadable", `The model's response can't be read: ${what}`);
}

/** Gemini's answer to a prompt that it does not take has no choice. */
function blockedPrompt(body: unknown): StepError | null {
  const reason = getPath(body, ["promptFeedback", "blockReason"]);
  return typeof reason === "string" ? refused(`its content filter blocked the prompt (${reason})`) : null;
}

/** Gateways that give no reason of their own may pass on that of the provider, and older models of OpenAI have details. */
function stopOf({ finish_reason: reason, native_finish_reason: native, finish_details: details }: Choice): unknown {
  const given = reason ?? native ?? details;
  return isJsonObject(given) ? (given.type ?? given.reason ?? given) : given;
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
