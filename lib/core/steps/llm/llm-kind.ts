import { closedObject, scalar } from "#lib/core/shapes/shape";
import { shapeOfSchema } from "#lib/core/shapes/shape-of-schema";
import { defineStepKind } from "#lib/core/steps/define-step-kind";
import { isJsonObject } from "#lib/support/json";

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
  keywords: "ai model prompt generate classify extract summarize chat language",
  canContinue: true,
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
  repeatsSettings: false,
  effects: "calls",
  handler: async () => (await import("#lib/core/steps/llm/llm")).prepareLlm,
});
