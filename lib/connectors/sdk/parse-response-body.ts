import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/step-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { exceedsJsonDepth } from "#lib/support/json";
import { describeJsonExcess, findJsonExcess, SMALL } from "#lib/support/scan-json";

const BOUNDS = { depth: LIMITS.jsonDepth, elements: LIMITS.jsonElements, names: LIMITS.jsonNames };
const JSON_TYPE = /^(?:application|text)\/(?:[a-z0-9.!#$&^_-]+\+)?json$/;
const TEXT_TYPE =
  /^text\/|[/+]xml$|^application\/(?:javascript|x-www-form-urlencoded|yaml|x-yaml|graphql|x-ndjson|jsonl|sql)$/;

/**
 * Returns JSON if the content type says so, otherwise text; null if there is no body.
 * @throws StepError UPSTREAM_ERROR for invalid JSON, VALIDATION_ERROR if the body is binary, is nested too deeply or
 * contains too many values
 */
export function parseResponseBody(response: Pick<OutgoingResponse, "headers" | "body">): unknown {
  if (response.body.byteLength === 0) return null;
  const [type = "", ...parameters] = (response.headers["content-type"] ?? "").toLowerCase().split(";");
  const isJson = JSON_TYPE.test(type.trim());
  const text = decode(response.body, type.trim(), isJson, parameters.join(";"));
  return isJson ? parseJson(text) : text;
}

function decode(body: Buffer, type: string, isJson: boolean, parameters: string): string {
  const label = /charset\s*=\s*"?([a-z0-9_:.-]+)/.exec(parameters)?.[1];
  // Without a declared text type, the body counts as text only if it decodes as text.
  const isText = isJson || TEXT_TYPE.test(type) || label !== undefined;
  try {
    const text = new TextDecoder(label ?? "utf-8", { fatal: !isText }).decode(body);
    if (isText || !text.includes("\0")) return text;
  } catch (cause) {
    if (isText) throw new StepError("answer_unreadable", `The response has the unknown charset ${label}`, { cause });
  }
  const what = type === "" ? "without a content type" : type;
  throw new StepError("VALIDATION_ERROR", `The response is binary (${what}). A step can use only JSON and text`);
}

function parseJson(text: string): unknown {
  const excess = findJsonExcess(text, BOUNDS);
  if (excess !== null) throw new StepError("data_too_large", `The response ${describeJsonExcess(excess)}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new StepError("answer_unreadable", "The response is declared as JSON but isn't valid JSON", { cause });
  }
  if (text.length < SMALL && exceedsJsonDepth(value, LIMITS.jsonDepth)) {
    throw new StepError("data_too_large", `The response ${describeJsonExcess("depth")}`);
  }
  return value;
}
