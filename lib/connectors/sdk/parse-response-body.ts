import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/step-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { exceedsJsonDepth } from "#lib/support/json";

const JSON_TYPE = /^(?:application|text)\/(?:[a-z0-9.!#$&^_-]+\+)?json$/;
const TEXT_TYPE =
  /^text\/|[/+]xml$|^application\/(?:javascript|x-www-form-urlencoded|yaml|x-yaml|graphql|x-ndjson|jsonl|sql)$/;

/**
 * JSON where the content type says so, else text; null when there is none.
 * @throws StepError UPSTREAM_ERROR when it is not the JSON it says, VALIDATION_ERROR when it is binary or too deep
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
  // Without a declared text type it is text only if it reads as such.
  const isText = isJson || TEXT_TYPE.test(type) || label !== undefined;
  try {
    const text = new TextDecoder(label ?? "utf-8", { fatal: !isText }).decode(body);
    if (isText || !text.includes("\0")) return text;
  } catch (cause) {
    if (isText) throw new StepError("answer_unreadable", `The answer is in the unknown charset ${label}`, { cause });
  }
  const what = type === "" ? "of no declared type" : type;
  throw new StepError("VALIDATION_ERROR", `The answer is binary (${what}); only JSON and text can be used in a step`);
}

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new StepError("answer_unreadable", "The answer says that it is JSON, but cannot be read as such", { cause });
  }
  if (exceedsJsonDepth(value, LIMITS.jsonDepth)) {
    throw new StepError("data_too_large", `The answer is nested more than ${LIMITS.jsonDepth} levels deep`);
  }
  return value;
}
