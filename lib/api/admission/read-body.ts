import { trackBody } from "#lib/api/admission/body-budget";
import { clientSource } from "#lib/api/admission/client-address";
import { ApiError } from "#lib/contract/api-error";
import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import { assertStorable } from "#lib/core/input/assert-storable";
import { parseJson } from "#lib/core/input/parse-json";
import { isJsonObject } from "#lib/support/json";

/**
 * Reads the bytes of a body and counts them while reading, because a client can send a false content-length.
 * @throws ApiError PAYLOAD_TOO_LARGE (decisions, Size limits); BAD_REQUEST if the client disconnects before the body is
 * complete; `bodies_overloaded` if it takes memory that others need (body-budget.ts)
 */
export async function readBody(request: Request, maxBytes: number = LIMITS.bodyBytes): Promise<Buffer> {
  assertDeclaredSize(request, maxBytes);
  if (!request.body) return Buffer.alloc(0);
  const reader = request.body.getReader();
  const cancel = () => reader.cancel().catch(() => undefined);
  let isStopped = false;
  const share = trackBody(clientSource(request.headers), () => {
    isStopped = true;
    void cancel();
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await readChunk(reader);
      if (isStopped) throw overloaded();
      if (done) return Buffer.concat(chunks, bytes);
      bytes += value.byteLength;
      if (bytes > maxBytes) {
        await cancel();
        throw tooLarge(maxBytes);
      }
      chunks.push(value);
      share.add(value.byteLength);
    }
  } finally {
    share.end();
  }
}

function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  return reader.read().catch((cause: unknown) => {
    throw new ApiError("BAD_REQUEST", "The body ended before it was complete.", { cause });
  });
}

/**
 * Checks the size that a request declares. It is the first check, before the key and before the body is read.
 * @throws ApiError PAYLOAD_TOO_LARGE
 */
export function assertDeclaredSize(request: Request, maxBytes: number = LIMITS.bodyBytes): void {
  if (Number(request.headers.get("content-length")) > maxBytes) throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBytes} bytes.`);
}

function overloaded(): ApiError {
  return new ApiError(
    "bodies_overloaded",
    "Too many request bodies are arriving at the same time. Try again shortly.",
    {
      retryAfterSeconds: 1,
    },
  );
}

/**
 * Reads a body as a JSON object that can be stored. An empty body is an empty object, whatever its content-type.
 * @throws ApiError BAD_REQUEST naming the field if there is one
 */
export function parseJsonBody(bytes: Uint8Array): JsonObject {
  if (bytes.byteLength === 0) return {};
  const value = parseJson(bytes);
  if (!isJsonObject(value)) throw new ApiError("BAD_REQUEST", "The body must be a JSON object.");
  assertStorable(value, { hasRunInput: true });
  return value;
}
