import { ApiError } from "#lib/contract/error/api-error";
import { pointerStep } from "#lib/core/input/assert-storable";
import {
  findRepeatedName,
  type NoteLongNumber,
  type PathInJson,
  parseKeepingDigits,
  parseMarkingDigits,
} from "#lib/support/exact-json";
import { describeJsonExcess, findJsonExcess } from "#lib/support/scan-json";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a body that is validated, as any JSON value. A number that would lose digits is NaN, which `assertStorable` and
 * `findHostile` refuse with its place.
 * @throws ApiError BAD_REQUEST, also for an object that has a name twice; PAYLOAD_TOO_LARGE if it contains too many values
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return parseWith(utf8.decode(bytes), parseOnce);
  } catch (error) {
    throw error instanceof ApiError ? error : notJson();
  }
}

function parseOnce(text: string): unknown {
  const value = parseMarkingDigits(text);
  const repeated = findRepeatedName(text, value);
  if (repeated !== null) throw repeatedName(repeated);
  return value;
}

/**
 * Reads a text that a sender chose. A number that would lose digits becomes a text with them; 1e400 is Infinity, which
 * `assertStorable` refuses.
 * @param onKept called with the place of each such number
 * @throws ApiError like parseJson
 */
export function parseJsonText(text: string, onKept?: NoteLongNumber): unknown {
  return parseWith(text, (json) => parseKeepingDigits(json, onKept, { leavesOverflow: true }));
}

/** @throws ApiError like parseJson */
export function parseSentJson(bytes: Uint8Array, onKept?: NoteLongNumber): unknown {
  try {
    return parseJsonText(utf8.decode(bytes), onKept);
  } catch (error) {
    throw error instanceof ApiError ? error : notJson();
  }
}

function parseWith(text: string, parse: (json: string) => unknown): unknown {
  assertJsonBounds(text);
  try {
    return parse(text);
  } catch (error) {
    throw error instanceof ApiError ? error : notJson();
  }
}

export function notJson(): ApiError {
  return new ApiError("BAD_REQUEST", "The body is not valid JSON in UTF-8.");
}

/**
 * Refuses a JSON text before it is parsed.
 * @param what the text that is refused, at the start of the message
 * @throws ApiError BAD_REQUEST if it is nested too deeply, PAYLOAD_TOO_LARGE if it contains too many values
 */
export function assertJsonBounds(text: string, what = "The body"): void {
  const excess = findJsonExcess(text);
  if (excess === null) return;
  const code = excess === "depth" ? "BAD_REQUEST" : "PAYLOAD_TOO_LARGE";
  throw new ApiError(code, `${what} ${describeJsonExcess(excess)}`);
}

const NAME_CHARACTERS = 100;

/** The refusal of a JSON object that has a name twice. */
export function repeatedName(path: PathInJson): ApiError {
  // The name itself can be what no text may contain.
  const names = path.map((part) =>
    String(part).replaceAll("\u0000", "\ufffd").toWellFormed().slice(0, NAME_CHARACTERS),
  );
  const field = names.join(".");
  const message = "is there twice in the same object; send it once";
  const error = { field, pointer: names.map(pointerStep).join(""), code: "duplicate_name", message };
  return new ApiError("BAD_REQUEST", `${field}: ${message}`, { details: [error] });
}
