import type { Generation } from "#lib/connectors/llm/generation";
import { parseQuietly } from "#lib/connectors/llm/provider-fault";
import { errorWords } from "#lib/connectors/sdk/error-words";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

/**
 * How a model is asked for an object: the provider enforces the schema, the provider enforces JSON, or only the prompt
 * asks for it.
 */
export type AnswerFormat = "json_schema" | "json_object" | "prompt";

/** What refused a format, by connection and model: a gateway has models that differ. */
const refusals = new Map<string, AnswerFormat>();
const REFUSALS_KEPT = 1_000;

/** Returns the formats that are left to try, the best first. */
export function formatsLeft(key: string, formats: readonly AnswerFormat[]): readonly AnswerFormat[] {
  const known = refusals.get(key);
  const from = known === undefined ? 0 : formats.indexOf(known);
  return formats.slice(Math.max(0, from));
}

/** Remembers the format that a model accepts, until this process ends. The oldest entry makes room. */
export function rememberFormat(key: string, format: AnswerFormat): void {
  const [oldest] = refusals.keys();
  if (refusals.size >= REFUSALS_KEPT && oldest !== undefined) refusals.delete(oldest);
  refusals.set(key, format);
}

const STATUSES: ReadonlySet<number> = new Set([400, 404, 422, 501]);
const FORMAT_NAMES = /response[_ .-]?format|json[_ -]?schema|structured[_ -]?output|output_config|output_format/i;
/** The provider knows the format and refuses this schema, which its author can correct. */
const SCHEMA_FAULT = /invalid (?:json )?schema/i;

/** Returns whether a response refuses the way in which an object was asked for. */
export function refusesFormat(response: OutgoingResponse): boolean {
  if (!STATUSES.has(response.status)) return false;
  const body = parseQuietly(response);
  const error = getPath(body, ["error"]);
  const named = isJsonObject(error) ? [error.message, error.param, error.code] : [];
  // Validators of Python name the field in `loc`.
  const details = getPath(body, ["detail"]);
  const places = (Array.isArray(details) ? details : []).map((one) => [getPath(one, ["loc"])].flat().join("."));
  const words = [errorWords(response), ...named, ...places].filter((one) => typeof one === "string").join("\n");
  return FORMAT_NAMES.test(words) && !SCHEMA_FAULT.test(words);
}

/** Puts the schema into the prompt. OpenAI and DeepSeek accept `json_object` only if the word JSON is in a message. */
export function askInPrompt<Asked extends Pick<Generation, "prompt" | "outputSchema">>(asked: Asked): Asked {
  const words = "Answer with only a JSON object that matches this JSON Schema, without any other text:";
  return { ...asked, prompt: `${asked.prompt}\n\n${words}\n${JSON.stringify(asked.outputSchema)}` };
}
