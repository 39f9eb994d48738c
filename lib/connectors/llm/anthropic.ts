import { z } from "zod";
import { askInPrompt } from "#lib/connectors/llm/answer-format";
import { generateOperation, listModelIds, modelsSentence, type ProviderApi } from "#lib/connectors/llm/call-provider";
import { enforceableSchema } from "#lib/connectors/llm/enforceable-schema";
import { type Generation, messagesOf } from "#lib/connectors/llm/generation";
import { readContent } from "#lib/connectors/llm/read-content";
import { readUsage } from "#lib/connectors/llm/read-usage";
import { assertComplete } from "#lib/connectors/llm/stop-reasons";
import { baseUrlField, headerSecret } from "#lib/connectors/sdk/connection-fields";
import type { ConnectorDefinition, ServiceContext } from "#lib/connectors/sdk/define-connector";
import { StepError } from "#lib/contract/run/step-error";

const STANDARD_URL = "https://api.anthropic.com";
const VERSION = { "anthropic-version": "2023-06-01" };
/** The API requires a limit; what a model thinks before it answers counts toward it. */
const MAX_TOKENS = 8_192;

const message = z.object({
  content: z.union([z.string(), z.array(z.unknown())]),
  stop_reason: z.unknown().optional(),
  usage: z.unknown().optional(),
});

/**
 * The Claude models that take a temperature: up to version 4.6. Later ones answer 400 to any value but 1, their default
 * (`MessageCreateParams.temperature` of @anthropic-ai/sdk). Ids are `claude-3-5-haiku-…` or `claude-opus-4-6`; numbers of
 * eight digits are dates.
 */
const CLAUDE = /(?:^|[./])claude-(?:[a-z]+-)?(\d)(?:[-.](\d{1,2})(?!\d))?/;
/** Version 4.6 as major * 100 + minor, so that 4.10 is later. */
const LAST_WITH_TEMPERATURE = 406;

/** A model that is not Claude, at a compatible server, gets what the step says. */
function takesTemperature(model: string): boolean {
  const [, major = "", minor = "0"] = CLAUDE.exec(model) ?? [];
  if (major === "") return !/(?:^|[./])claude-(?!instant)/.test(model);
  return Number(major) * 100 + Number(minor) <= LAST_WITH_TEMPERATURE;
}

const API: ProviderApi = {
  name: "anthropic",
  formats: ["json_schema", "prompt"],
  buildRequest: ({ model, system, temperature, maxTokens, ...asked }, _baseUrl, format) => ({
    path: "/v1/messages",
    headers: VERSION,
    body: {
      model,
      max_tokens: maxTokens ?? MAX_TOKENS,
      ...(system ? { system } : {}),
      messages: messagesOf(asked.outputSchema === null || format === "json_schema" ? asked : askInPrompt(asked)),
      ...(temperature !== null && takesTemperature(model) ? { temperature } : {}),
      // Not a forced tool: models that think by default reject one.
      ...(asked.outputSchema && format === "json_schema"
        ? { output_config: { format: { type: "json_schema", schema: enforceableSchema(asked.outputSchema) } } }
        : {}),
    },
  }),
  readAnswer: readMessage,
};

function readMessage(body: unknown, generation: Generation) {
  const parsed = message.safeParse(body);
  const spoken = parsed.success ? readContent(parsed.data.content) : null;
  if (!parsed.success || spoken === null) {
    throw new StepError("answer_unreadable", "The model's response can't be read: it is not a message");
  }
  const { stop_reason: reason, usage } = parsed.data;
  const { text } = spoken;
  assertComplete(reason, text, { ...generation, maxTokens: generation.maxTokens ?? MAX_TOKENS });
  return { text, usage: readUsage(usage) };
}

const listModels = (probe: ServiceContext) => listModelIds(probe, "/v1/models?limit=1000", VERSION);

export const ANTHROPIC_CONNECTOR: ConnectorDefinition = {
  name: "anthropic",
  label: "Anthropic",
  description: "Call Claude models through Anthropic's API",
  keywords: "claude ai model prompt sonnet opus haiku",
  auths: [
    {
      name: "api_key",
      label: "API key",
      fields: [
        baseUrlField(STANDARD_URL, "The URL that /v1/messages is appended to."),
        { name: "api_key", label: "API key", kind: "secret", isRequired: true, schema: headerSecret },
      ],
      origins: ({ base_url: baseUrl = STANDARD_URL }) => [new URL(baseUrl).origin],
      sign: (request, { api_key: key = "" }) => ({ ...request, headers: { ...request.headers, "x-api-key": key } }),
      test: async (probe) => modelsSentence(probe.settings.base_url, await listModels(probe)),
    },
  ],
  operations: { generate: generateOperation(API) },
  listModels,
};
