import type { Generated } from "#lib/connectors/llm/generation";
import { isJsonObject } from "#lib/support/json";

/** The names of OpenAI, then those of Anthropic, whose cached tokens are not part of `input_tokens`. */
const INPUT = ["prompt_tokens", "input_tokens"];
const OUTPUT = ["completion_tokens", "output_tokens"];
const CACHED = ["cache_creation_input_tokens", "cache_read_input_tokens"];

/** Reads one count of a provider's `usage`; null if it is missing or not a count. An answer is never refused for it. */
function readCount(usage: unknown, names: readonly string[]): number | null {
  if (!isJsonObject(usage)) return null;
  const counts = names.map((name) => usage[name]);
  return counts.find((count): count is number => Number.isSafeInteger(count) && Number(count) >= 0) ?? null;
}

export const readInputCount = (usage: unknown): number | null => readCount(usage, INPUT);
export const readOutputCount = (usage: unknown): number | null => readCount(usage, OUTPUT);

/**
 * Reads the tokens of an answer. A count that the provider does not report is 0. Gateways repeat Anthropic's cached tokens
 * next to `prompt_tokens`, which contains them.
 */
export function readUsage(usage: unknown): Generated["usage"] {
  const isWhole = readCount(usage, ["prompt_tokens"]) !== null;
  const cached = isWhole ? 0 : CACHED.reduce((sum, name) => sum + (readCount(usage, [name]) ?? 0), 0);
  return { input_tokens: (readInputCount(usage) ?? 0) + cached, output_tokens: readOutputCount(usage) ?? 0 };
}
