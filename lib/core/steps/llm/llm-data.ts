import { z } from "zod";
import { work } from "#lib/core/engine/work-settings";
import { stepSettings } from "#lib/core/steps/step-settings";

const MAX_TOKENS_MAX = 1_000_000;
const MAX_TOKENS_MESSAGE = `must be a whole number from 1 to ${MAX_TOKENS_MAX}`;
const TEMPERATURE_MESSAGE = "must be a number from 0 to 2";
const promptText = z.string().max(200_000, "must be at most 200000 characters long");
/** Providers only return objects; which other keywords they support depends on the schema. */
const outputSchema = z
  .record(z.string(), z.unknown(), "must be a JSON Schema")
  .refine((schema) => schema.type === "object", 'must be a JSON Schema with "type": "object"');

export const llmData = z.object({
  ...stepSettings,
  ...work,
  connection_id: z.string("is required").min(1, "is required"),
  model: z.string().min(1, "is required").max(200, "must be at most 200 characters long"),
  system: promptText.nullish(),
  prompt: promptText.min(1, "is required"),
  output_schema: outputSchema.nullish(),
  temperature: z.number(TEMPERATURE_MESSAGE).min(0, TEMPERATURE_MESSAGE).max(2, TEMPERATURE_MESSAGE).nullish(),
  max_tokens: z.int(MAX_TOKENS_MESSAGE).min(1, MAX_TOKENS_MESSAGE).max(MAX_TOKENS_MAX, MAX_TOKENS_MESSAGE).nullish(),
});
