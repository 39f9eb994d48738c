import { ApiError } from "#lib/contract/api-error";
import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";

/**
 * The body of a request as text. It is counted while it is read: content-length is only what the client claims.
 * @throws ApiError PAYLOAD_TOO_LARGE
 */
export async function readText(request: Request, maxBytes: number = LIMITS.bodyBytes): Promise<string> {
  const tooLarge = () => new ApiError("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBytes} bytes.`);
  if (Number(request.headers.get("content-length")) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * A JSON object that Postgres can store; an empty body is an empty object.
 * @throws ApiError BAD_REQUEST, PAYLOAD_TOO_LARGE
 */
export function parseJsonObject(text: string): JsonObject {
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError("BAD_REQUEST", "The body is not JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ApiError("BAD_REQUEST", "The body must be a JSON object.");
  }
  assertStorable(value, 1);
  return value as JsonObject;
}

/** Postgres text holds neither NUL nor half a surrogate pair, and nothing of ours is nested deeper than 32 levels. */
function assertStorable(value: unknown, depth: number): void {
  if (typeof value === "string") {
    if (value.includes("\u0000") || !value.isWellFormed()) {
      throw new ApiError("BAD_REQUEST", "The body holds a character that cannot be stored (NUL or half a pair).");
    }
  } else if (typeof value === "object" && value !== null) {
    if (depth > LIMITS.jsonDepth) {
      throw new ApiError("BAD_REQUEST", `The body is nested deeper than ${LIMITS.jsonDepth} levels.`);
    }
    for (const [key, item] of Object.entries(value)) {
      assertStorable(key, depth);
      assertStorable(item, depth + 1);
    }
  }
}
