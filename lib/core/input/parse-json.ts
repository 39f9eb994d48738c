import { ApiError } from "#lib/contract/api-error";
import { assertJsonBounds } from "#lib/core/input/assert-json-bounds";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a body as any JSON value.
 * @throws ApiError BAD_REQUEST, or PAYLOAD_TOO_LARGE if it contains too many values
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    assertJsonBounds(text);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError("BAD_REQUEST", "The body is not valid JSON in UTF-8.");
  }
}
