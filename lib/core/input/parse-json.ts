import { ApiError } from "#lib/contract/api-error";
import { assertJsonBounds } from "#lib/core/input/assert-json-bounds";
import { repeatedName } from "#lib/core/input/repeated-name";
import { type NoteLongNumber, parseKeepingDigits, parseMarkingDigits } from "#lib/support/exact-json";
import { findRepeatedName } from "#lib/support/json-text/find-repeated-name";

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
