import type { Generation } from "#lib/connectors/llm/generation";
import { StepError } from "#lib/contract/run/step-error";

const WORDS_CHARACTERS = 300;

/** What some providers write in front of each name: YandexGPT, Gemini and xAI. */
const START = /^(?:alternative_status|finish_reason|reason)_/;
/**
 * The names of a complete answer, in lowercase with underscores: OpenAI and Anthropic, and what Text Generation Inference,
 * Together, Cohere and other servers with a compatible API call them. Every other name is an error.
 */
const COMPLETE: ReadonlySet<string> = new Set([
  ...["stop", "stop_sequence", "end_turn", "final"],
  ...["eos", "eos_token", "end", "end_of_turn", "complete", "completed", "finished", "done"],
]);
const LENGTH: ReadonlySet<string> = new Set([
  ...["length", "max_tokens", "model_length", "max_length", "max_output_tokens", "token_limit", "max_new_tokens"],
  ...["max_completion_tokens", "max_len", "truncated", "truncated_final"],
]);
/** The model's own window is full, whatever the step allows. */
const WINDOW: ReadonlySet<string> = new Set(["model_context_window_exceeded", "max_context", "error_limit"]);
const FILTER: ReadonlySet<string> = new Set([
  ...["content_filter", "content_filtered", "safety", "image_safety", "recitation", "blocklist", "language"],
  ...["prohibited_content", "spii", "refusal", "sensitive", "error_toxic", "guardrail_intervened"],
  ...["blacklist", "image_prohibited_content", "image_recitation", "model_armor", "content_policy_violation"],
]);
const FAILED: ReadonlySet<string> = new Set([
  ...["error", "abort", "aborted", "cancelled", "canceled", "timeout", "server_error", "network_error"],
  ...["insufficient_system_resource", "overloaded", "time_limit"],
]);
const TOOLS: ReadonlySet<string> = new Set(["tool_calls", "tool_call", "tool_use", "function_call"]);

/**
 * Checks that an answer is complete (decisions, LLM steps: half an answer is none). Some servers name no reason: then a
 * text is the answer. An answer without text is left to the check of `output_schema`, which the model can correct.
 * @param reason the provider's `finish_reason` or `stop_reason`
 * @throws StepError naming the reason
 */
export function assertComplete(reason: unknown, text: string, generation: Generation): void {
  const word =
    typeof reason === "string" ? reason.trim() : reason === null || reason === undefined ? "" : String(reason);
  const stop = word
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(START, "");
  if (FILTER.has(stop)) throw refused(stop === "refusal" ? text : "its content filter stopped the answer");
  if (LENGTH.has(stop)) throw cutOff(generation);
  if (WINDOW.has(stop)) throw cutOff({ ...generation, maxTokens: null });
  const named = `"${word.slice(0, 100)}"`;
  if (TOOLS.has(stop)) {
    const message = `The model asked for a tool instead of answering: it stopped with ${named}. The step offers no tools.`;
    throw new StepError("VALIDATION_ERROR", message);
  }
  if (FAILED.has(stop)) {
    throw new StepError("UPSTREAM_ERROR", `The model's answer is incomplete: the provider stopped it with ${named}.`);
  }
  if (stop !== "" && !COMPLETE.has(stop)) {
    const message = `The model stopped with ${named}, which is not known to end a complete answer.`;
    throw new StepError("answer_unreadable", message);
  }
  if (text.trim() === "" && generation.outputSchema === null) {
    throw new StepError("answer_unreadable", "The model's answer is empty.");
  }
}

/** Builds the error for an answer that was cut off. */
function cutOff({ maxTokens }: Generation): StepError {
  const limit = maxTokens === null ? "the provider's token limit" : `max_tokens (${maxTokens})`;
  return new StepError(
    "VALIDATION_ERROR",
    `The model's answer was cut off at ${limit}. Allow more tokens, or ask for a shorter answer.`,
  );
}

export function refused(words: string | null): StepError {
  return new StepError(
    "VALIDATION_ERROR",
    `The model refused to answer${words ? `: ${words.slice(0, WORDS_CHARACTERS)}` : ""}`,
  );
}
