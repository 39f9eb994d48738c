import { z } from "zod";
import { work } from "#lib/core/engine/work-settings";
import { closedObject, scalar } from "#lib/core/shapes/shape";
import { shapeOfSchema } from "#lib/core/shapes/shape-of-schema";
import { defineStepKind } from "#lib/core/steps/define-step-kind";
import { label } from "#lib/core/steps/node-data";
import { isJsonObject } from "#lib/support/json";

const MAX_TOKENS_MAX = 1_000_000;
const MAX_TOKENS_MESSAGE = `must be a whole number from 1 to ${MAX_TOKENS_MAX}`;
const TEMPERATURE_MESSAGE = "must be a number from 0 to 2";
const promptText = z.string().max(200_000, "must be at most 200000 characters long");
/** Providers only return objects; which other keywords they support depends on the schema. */
const outputSchema = z
  .record(z.string(), z.unknown(), "must be a JSON Schema")
  .refine((schema) => schema.type === "object", 'must be a JSON Schema with "type": "object"');

const OBJECT = "The text parsed as the object that output_schema describes";
const USAGE = closedObject(
  ["input_tokens", scalar("integer")],
  ["output_tokens", scalar("integer")],
  ["total_tokens", scalar("integer")],
);

export const llmKind = defineStepKind({
  type: "llm",
  title: "LLM",
  category: "ai",
  description: "Ask a language model for text or an object",
  guidance: "Get connection_id from list_connectors. Connections are created by people in the web application.",
  keywords: "ai model prompt generate classify extract openai anthropic claude gpt chat",
  data: z.object({
    ...label,
    ...work,
    connection_id: z.string("is required").min(1, "is required"),
    model: z.string().min(1, "is required").max(200, "must be at most 200 characters long"),
    system: promptText.nullish(),
    prompt: promptText.min(1, "is required"),
    output_schema: outputSchema.nullish(),
    temperature: z.number(TEMPERATURE_MESSAGE).min(0, TEMPERATURE_MESSAGE).max(2, TEMPERATURE_MESSAGE).nullish(),
    max_tokens: z.int(MAX_TOKENS_MESSAGE).min(1, MAX_TOKENS_MESSAGE).max(MAX_TOKENS_MAX, MAX_TOKENS_MESSAGE).nullish(),
  }),
  newData: () => ({ connection_id: "", model: "", prompt: "" }),
  example: { connection_id: "", model: "", prompt: "Summarize: {{action_input.text}}" },
  least: { connection_id: "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", model: "a-model", prompt: "Hello" },
  output: "{text, object?, usage}; object when output_schema is given",
  outputShape: ({ output_schema: schema }) =>
    closedObject(
      ["text", scalar("string"), "The text that the model wrote"],
      ...(isJsonObject(schema) ? [["object", shapeOfSchema(schema), OBJECT] as const] : []),
      ["usage", USAGE, "Token counts: input_tokens, output_tokens, total_tokens"],
    ),
  templates: ["system", "prompt"],
  effects: "calls",
  handler: async () => (await import("#lib/core/steps/llm/llm")).prepareLlm,
});
