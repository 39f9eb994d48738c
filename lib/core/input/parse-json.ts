import { ApiError } from "#lib/contract/api-error";
import { assertJsonBounds } from "#lib/core/input/assert-json-bounds";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a body as any JSON value.
 * @throws ApiError BAD_REQUEST, or PAYLOAD_TOO_LARGE if it contains too many values
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return parseJsonText(utf8.decode(bytes));
  } catch (error) {
    throw error instanceof ApiError ? error : notJson();
  }
}

/** @throws ApiError like parseJson */
export function parseJsonText(text: string): unknown {
  assertJsonBounds(text);
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

export function notJson(): ApiError {
  return new ApiError("BAD_REQUEST", "The body is not valid JSON in UTF-8.");
}
