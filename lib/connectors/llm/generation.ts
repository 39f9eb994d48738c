import { z } from "zod";
import { StepError } from "#lib/contract/run/step-error";
import { parseGiven } from "#lib/support/leave-out-nulls";

/** The request of an LLM step (decisions, LLM steps). */
export interface Generation {
  model: string;
  system: string | null;
  prompt: string;
  /** The JSON Schema of the requested object; null requests plain text. */
  outputSchema: Record<string, unknown> | null;
  temperature: number | null;
  maxTokens: number | null;
  /** The answer that the model should correct; null for its first answer. */
  correction: Correction | null;
}

/** An answer that was not the requested object. */
export interface Correction {
  text: string;
  /** What was wrong with it. */
  problem: string;
  usage: Generated["usage"];
}

/** The answer of a provider's model, before it is checked. */
export interface Generated {
  text: string;
  usage: { input_tokens: number; output_tokens: number };
}

const paramsSchema = z.object({
  model: z.string("must be text").trim().min(1, "is required"),
  system: z.string().nullish(),
  prompt: z.string("must be text").min(1, "is empty"),
  output_schema: z.record(z.string(), z.unknown()).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  max_tokens: z.int().min(1).nullish(),
});

const tokens = z.number();
const correctionSchema = z.object({
  correction: z.object({
    text: z.string(),
    problem: z.string(),
    usage: z.object({ input_tokens: tokens, output_tokens: tokens }),
  }),
});

/** @throws StepError VALIDATION_ERROR naming the parameter */
export function parseGeneration(params: unknown): Generation {
  const parsed = parseGiven(paramsSchema, params);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new StepError("VALIDATION_ERROR", `${issue?.path.join(".") || "params"}: ${issue?.message}`);
  }
  const { model, system, prompt, output_schema, temperature, max_tokens } = parsed.data;
  return {
    model,
    system: system || null,
    prompt,
    outputSchema: output_schema ?? null,
    temperature: temperature ?? null,
    maxTokens: max_tokens ?? null,
    correction: correctionSchema.safeParse(params).data?.correction ?? null,
  };
}

interface Message {
  role: "user" | "assistant";
  content: string;
}

/** Returns the conversation: the prompt, and after an answer that did not fit, that answer and what was wrong. */
export function messagesOf({ prompt, correction }: Pick<Generation, "prompt" | "correction">): Message[] {
  const asked: Message = { role: "user", content: prompt };
  if (!correction) return [asked];
  const { text, problem } = correction;
  // A provider refuses an empty message.
  const answered: Message[] = text.trim() === "" ? [] : [{ role: "assistant", content: text }];
  const content = `${problem}. Answer again with only a JSON object that matches the schema, without any other text.`;
  return [asked, ...answered, { role: "user", content }];
}
