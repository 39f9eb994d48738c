import { decodeJsonText, decodeText } from "#lib/connectors/sdk/decode-text";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { parseKeepingDigits } from "#lib/support/exact-json";
import { exceedsJsonDepth } from "#lib/support/json";
import { describeJsonExcess, findJsonExcess, SMALL } from "#lib/support/scan-json";

const BOUNDS = { depth: LIMITS.jsonDepth, elements: LIMITS.jsonElements, names: LIMITS.jsonNames };
const JSON_TYPE = /^(?:application|text)\/(?:[a-z0-9.!#$&^_-]+\+)?json$/;
const TEXT_TYPE =
  /^text\/|[/+]xml$|^application\/(?:javascript|x-www-form-urlencoded|yaml|x-yaml|graphql|x-ndjson|jsonl|sql)$/;

/**
 * Returns JSON if the content type says so, otherwise text; null if there is no body. A number that would lose digits
 * becomes a text with them.
 * @throws StepError UPSTREAM_ERROR for invalid JSON and for an unknown charset, VALIDATION_ERROR if the body is binary, is nested too deeply or
 * contains too many values
 */
export function parseResponseBody(response: Pick<OutgoingResponse, "headers" | "body" | "onLongNumber">): unknown {
  if (response.body.byteLength === 0) return null;
  const { type, charset } = mediaTypeOf(response.headers["content-type"]);
  if (JSON_TYPE.test(type)) return parseJson(decodeJsonText(response.body, charset), response.onLongNumber);
  return textOf(response.body, type, charset);
}

/** Reads Content-Type. If a server and its proxy both send one, the last one counts, as in browsers. */
function mediaTypeOf(header = ""): { type: string; charset: string | undefined } {
  const types = header
    .toLowerCase()
    .split(",")
    .map((text) => text.trim())
    .filter((text) => /^[^\s/;]+\/[^\s/;]+/.test(text) && !text.startsWith("*/*"));
  const [type = "", ...parameters] = (types.at(-1) ?? header.toLowerCase()).split(";");
  const charset = /charset\s*=\s*["']?([a-z0-9_:.-]+)/.exec(parameters.join(";"))?.[1];
  return { type: type.trim(), charset };
}

function textOf(body: Buffer, type: string, charset: string | undefined): string {
  // Without a declared text type, the body counts as text only if it decodes as text.
  if (TEXT_TYPE.test(type) || charset !== undefined) return decodeText(body, charset);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    if (!text.includes("\0")) return text;
  } catch {
    // It is binary.
  }
  const what = type === "" ? "without a content type" : type;
  throw new StepError("VALIDATION_ERROR", `The response is binary (${what}). A step can use only JSON and text`);
}

/** Returns null for a body that holds only white space. */
function parseJson(text: string, onLongNumber: OutgoingResponse["onLongNumber"]): unknown {
  if (text.trim() === "") return null;
  const excess = findJsonExcess(text, BOUNDS);
  if (excess !== null) throw new StepError("data_too_large", `The response ${describeJsonExcess(excess)}`);
  let value: unknown;
  try {
    value = parseKeepingDigits(text, onLongNumber);
  } catch (cause) {
    throw new StepError("answer_unreadable", "The response is declared as JSON but isn't valid JSON", { cause });
  }
  if (text.length < SMALL && exceedsJsonDepth(value, LIMITS.jsonDepth)) {
    throw new StepError("data_too_large", `The response ${describeJsonExcess("depth")}`);
  }
  return value;
}
