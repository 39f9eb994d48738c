import { z } from "zod";
import { type Correction, type Generated, type Generation, parseGeneration } from "#lib/connectors/llm/generation";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { errorWords } from "#lib/connectors/sdk/error-words";
import { parseResponseBody } from "#lib/connectors/sdk/parse-response-body";
import { statusError } from "#lib/connectors/sdk/status-error";
import { StepError } from "#lib/contract/step-error";
import { CorrectableError } from "#lib/core/engine/answered-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import type { ConnectorOperation, OperationContext } from "#lib/core/engine/ports";

/** Describes a provider's API. */
export interface ProviderApi {
  /** What OpenTelemetry calls the provider (semantic conventions, gen_ai.provider.name). */
  name: string;
  /** Builds the path below the base URL, the body, and headers in addition to the usual ones. */
  buildRequest(
    generation: Generation,
    baseUrl: string,
  ): { path: string; body: unknown; headers?: Record<string, string> };
  /**
   * Reads the model's answer.
   * @throws StepError if the model refused, was cut off, or gave no answer
   */
  readAnswer(body: unknown, generation: Generation): Generated;
}

const WORDS_CHARACTERS = 300;
/** What the model sees of its answer that did not fit. */
const CORRECTED_CHARACTERS = 50_000;

/**
 * Defines the operation behind LLM steps: `{ text, object?, usage }` (decisions, LLM steps). It changes nothing at the
 * provider, so it may be retried after a timeout at the cost of another generation.
 */
export function generateOperation(api: ProviderApi): ConnectorOperation {
  return { isIdempotent: () => true, call: (params, context) => generate(api, parseGeneration(params), context) };
}

async function generate(api: ProviderApi, generation: Generation, context: OperationContext): Promise<unknown> {
  const { connection } = context;
  const baseUrl = connection?.settings.base_url;
  if (baseUrl === undefined) throw new StepError("connection_missing", "connection_id: is required to call a model");
  const { path, body, headers } = api.buildRequest(generation, baseUrl);
  const url = baseUrl + path;
  const response = await context.send({
    method: "POST",
    url,
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      "idempotency-key": context.idempotencyKey,
      traceparent: context.traceparent,
      ...headers,
    },
    body: JSON.stringify(body),
    signal: context.signal,
    describe: (answered) => describeCall(api, generation, answered),
  });
  const answer = readJson(url, response, context.now());
  const { text, usage: own } = api.readAnswer(answer, generation);
  // The step costs both answers.
  const earlier = generation.correction?.usage;
  const usage = {
    input_tokens: own.input_tokens + (earlier?.input_tokens ?? 0),
    output_tokens: own.output_tokens + (earlier?.output_tokens ?? 0),
  };
  const object = await readObject({ text, usage }, generation, context);
  return { text, ...object, usage: { ...usage, total_tokens: usage.input_tokens + usage.output_tokens } };
}

const facts = z.object({
  model: z.string().max(200).optional(),
  usage: z
    .looseObject({
      prompt_tokens: z.number().optional(),
      completion_tokens: z.number().optional(),
      input_tokens: z.number().optional(),
      output_tokens: z.number().optional(),
    })
    .nullish(),
});

/** Names the model and the tokens of a call (semantic conventions, Generative AI), and nothing of what was said. */
function describeCall(
  { name }: ProviderApi,
  { model }: Generation,
  response: OutgoingResponse,
): Record<string, string | number> {
  const asked = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": name,
    // The former name of the provider, which many dashboards still read.
    "gen_ai.system": name,
    "gen_ai.request.model": model,
  };
  const answered = facts.safeParse(parseQuietly(response));
  if (!answered.success) return asked;
  const { usage, model: own } = answered.data;
  const input = usage?.prompt_tokens ?? usage?.input_tokens;
  const output = usage?.completion_tokens ?? usage?.output_tokens;
  return {
    ...asked,
    ...(own === undefined ? {} : { "gen_ai.response.model": own }),
    ...(input === undefined ? {} : { "gen_ai.usage.input_tokens": input }),
    ...(output === undefined ? {} : { "gen_ai.usage.output_tokens": output }),
  };
}

function parseQuietly({ body }: OutgoingResponse): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}

/** @throws CorrectableError if the answer is not the object that the schema describes */
async function readObject(
  { text, usage }: Generated,
  { outputSchema }: Generation,
  { compute, signal }: OperationContext,
): Promise<{ object?: unknown }> {
  if (!outputSchema) return {};
  try {
    return { object: await compute.parseObject(text, outputSchema, signal) };
  } catch (error) {
    if (!(error instanceof StepError) || error.reason !== "answer_mismatch") throw error;
    const correction: Correction = { text: text.slice(0, CORRECTED_CHARACTERS), problem: error.message, usage };
    throw new CorrectableError(error, correction);
  }
}

/** Lists the ids of `GET <base>/<path>`, which both providers return as `data[].id`. */
export async function listModelIds(
  { settings, send, signal, now }: ServiceContext,
  path: string,
  headers: Record<string, string> = {},
): Promise<string[]> {
  const url = settings.base_url + path;
  const response = await send({ method: "GET", url, headers: { accept: "application/json", ...headers }, signal });
  const parsed = z.object({ data: z.array(z.object({ id: z.string() })) }).safeParse(readJson(url, response, now()));
  if (!parsed.success) throw unreadable(url);
  return parsed.data.data.map(({ id }) => id).sort();
}

/** Returns the result sentence of a connection test that lists models. */
export function modelsSentence(baseUrl: string | undefined, ids: readonly string[]): string {
  const { host } = new URL(baseUrl ?? "");
  return `${host} accepts the key and offers ${ids.length} ${ids.length === 1 ? "model" : "models"}.`;
}

/**
 * Reads a JSON response.
 * @throws StepError for a status of 400 or more, with the provider's message
 */
function readJson(url: string, response: OutgoingResponse, now: Date): unknown {
  if (response.status < 400) return parseResponseBody(declaredAsJson(response));
  throw statusError(new URL(url).host, response, now, errorWords(response));
}

/** Some compatible servers declare their JSON as text, or not at all. */
function declaredAsJson(response: OutgoingResponse): Pick<OutgoingResponse, "headers" | "body"> {
  if (!/^\s*\{/.test(response.body.subarray(0, 100).toString("latin1"))) return response;
  return { body: response.body, headers: { ...response.headers, "content-type": "application/json" } };
}

/** Builds the error for a successful response that does not match the API. */
export function unreadable(url: string): StepError {
  return new StepError(
    "answer_unreadable",
    `The response of ${new URL(url).host} can't be read: it does not match the provider's API`,
  );
}

/** Builds the error for an answer that was cut off (decisions, LLM steps: half an answer is none). */
export function cutOff({ maxTokens }: Generation): StepError {
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
