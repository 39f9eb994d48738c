import { z } from "zod";
import { type AnswerFormat, formatsLeft, refusesFormat, rememberFormat } from "#lib/connectors/llm/answer-format";
import { type Correction, type Generated, type Generation, parseGeneration } from "#lib/connectors/llm/generation";
import { findFault, parseQuietly, refusalError } from "#lib/connectors/llm/provider-fault";
import { readInputCount, readOutputCount } from "#lib/connectors/llm/read-usage";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { parseResponseBody } from "#lib/connectors/sdk/parse-response-body";
import { StepError } from "#lib/contract/run/step-error";
import { CorrectableError } from "#lib/core/engine/answered-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import type { ConnectorOperation, OperationContext } from "#lib/core/engine/ports";
import { getPath } from "#lib/support/get-path";

/** Describes a provider's API. */
export interface ProviderApi {
  /** What OpenTelemetry calls the provider (semantic conventions, gen_ai.provider.name). */
  name: string;
  /** How the API can be asked for an object, the best first. Compatible servers refuse some of it. */
  formats: readonly AnswerFormat[];
  /** Builds the path below the base URL, the body, and headers in addition to the usual ones. */
  buildRequest(
    generation: Generation,
    baseUrl: string,
    format: AnswerFormat,
  ): { path: string; body: unknown; headers?: Record<string, string> };
  /**
   * Reads the model's answer.
   * @throws StepError if the model refused, was cut off, or gave no answer
   */
  readAnswer(body: unknown, generation: Generation): Generated;
}

const MODEL_CHARACTERS = 200;
/** Where a response says what it is. */
const START_BYTES = 4_096;
const EVENT_DATA = /^data: ?(\{.*)$/gm;
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
  const { url, response } = await ask(api, generation, context);
  const now = context.now();
  const answer = readJson(url, response, now);
  const fault = findFault(new URL(url).host, response, now, answer);
  if (fault) throw fault;
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

/** Sends the request. A server that refuses the format of the answer, which costs nothing, is asked in the next one. */
async function ask(
  api: ProviderApi,
  generation: Generation,
  context: OperationContext,
): Promise<{ url: string; response: OutgoingResponse }> {
  const { connection, idempotencyKey } = context;
  const baseUrl = connection?.settings.base_url;
  if (baseUrl === undefined) throw new StepError("connection_missing", "connection_id: is required to call a model");
  const memory = `${connection?.id} ${baseUrl} ${generation.model}`;
  const [best = "prompt", ...others] = generation.outputSchema ? formatsLeft(memory, api.formats) : [];
  let asked = await askOnce(api, generation, context, { baseUrl, format: best, idempotencyKey });
  for (const format of others) {
    if (!refusesFormat(asked.response)) break;
    // Another request needs another key: an API that replays answers would repeat its refusal.
    const key = `${idempotencyKey}${format}`;
    asked = await askOnce(api, generation, context, { baseUrl, format, idempotencyKey: key });
    if (asked.response.status < 400) rememberFormat(memory, format);
  }
  return asked;
}

async function askOnce(
  api: ProviderApi,
  generation: Generation,
  { send, signal, traceparent }: OperationContext,
  { baseUrl, format, idempotencyKey }: { baseUrl: string; format: AnswerFormat; idempotencyKey: string },
): Promise<{ url: string; response: OutgoingResponse }> {
  const { path, body, headers } = api.buildRequest(generation, baseUrl, format);
  const url = baseUrl + path;
  const response = await send({
    method: "POST",
    url,
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      "idempotency-key": idempotencyKey,
      traceparent,
      ...headers,
    },
    body: JSON.stringify(body),
    signal,
    describe: (answered) => describeCall(api, generation, answered),
  });
  return { url, response };
}

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
  const answered = parseQuietly(response);
  const usage = getPath(answered, ["usage"]);
  const own = getPath(answered, ["model"]);
  const [input, output] = [readInputCount(usage), readOutputCount(usage)];
  return {
    ...asked,
    ...(typeof own === "string" ? { "gen_ai.response.model": own.slice(0, MODEL_CHARACTERS) } : {}),
    ...(input === null ? {} : { "gen_ai.usage.input_tokens": input }),
    ...(output === null ? {} : { "gen_ai.usage.output_tokens": output }),
  };
}

/** @throws CorrectableError if the answer is not the object that the schema describes */
async function readObject(
  { text, usage }: Generated,
  { outputSchema }: Generation,
  { compute, signal, noteNumber }: OperationContext,
): Promise<{ object?: unknown }> {
  if (!outputSchema) return {};
  try {
    return { object: await compute.parseObject(text, outputSchema, signal, (path) => noteNumber?.("object", path)) };
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
 * @throws StepError for a status of 400 or more, with the provider's message, and for what is not JSON
 */
function readJson(url: string, response: OutgoingResponse, now: Date): unknown {
  const { host } = new URL(url);
  if (response.status >= 400) throw refusalError(host, response, now);
  const value = parseResponseBody(declaredAsJson(response));
  if (typeof value === "object" && value !== null) return value;
  throw faultInStream(host, response, now, value) ?? notJson(host, value);
}

/** Some compatible servers declare their JSON as text, or not at all. Gateways write spaces in front while they wait. */
function declaredAsJson(response: OutgoingResponse): OutgoingResponse {
  if (!/^(?:\xef\xbb\xbf)?\s*[{[]/.test(response.body.subarray(0, START_BYTES).toString("latin1"))) return response;
  return { ...response, headers: { ...response.headers, "content-type": "application/json" } };
}

/** Finds the error in a stream of events, which gateways send although none was asked for. */
function faultInStream(host: string, response: OutgoingResponse, now: Date, value: unknown): StepError | null {
  const events = typeof value === "string" ? value.matchAll(EVENT_DATA) : [];
  for (const [, data = ""] of events) {
    const fault = findFault(host, response, now, parseQuietly({ body: Buffer.from(data) }));
    if (fault) return fault;
  }
  return null;
}

/** Names what a server sent instead of an answer. */
function notJson(host: string, value: unknown): StepError {
  const isText = typeof value === "string";
  const text = isText ? value.trimStart() : "";
  const what = /^(?:data|event|id|retry)?:/.test(text)
    ? "a stream of events, which was not asked for"
    : text.startsWith("<")
      ? "a page. Check the base URL of the connection"
      : isText
        ? "text that is not JSON"
        : "nothing to read";
  return new StepError("answer_unreadable", `The response of ${host} can't be read: it is ${what}`);
}

/** Builds the error for a successful response that does not match the API. */
function unreadable(url: string): StepError {
  return new StepError(
    "answer_unreadable",
    `The response of ${new URL(url).host} can't be read: it does not match the provider's API`,
  );
}
