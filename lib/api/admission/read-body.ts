import { clientSource } from "#lib/api/admission/client-address";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { assertStorable } from "#lib/core/input/assert-storable";
import { parseJson } from "#lib/core/input/parse-json";
import { isJsonObject } from "#lib/support/json";
import { shareInProcess } from "#lib/support/share-in-process";

/**
 * Reads the bytes of a body and counts them while reading, because a client can send a false content-length.
 * @throws ApiError PAYLOAD_TOO_LARGE (decisions, Size limits); BAD_REQUEST if the client disconnects before the body is
 * complete; `bodies_overloaded` if it takes memory that others need (trackBody)
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

interface ArrivingBody {
  bytes: number;
  readonly stop: () => void;
}

interface ArrivingSource {
  /** The bodies of which something has arrived, the oldest first. */
  readonly bodies: Set<ArrivingBody>;
  bytes: number;
}

/** The share of one body in the memory for bodies that have not arrived completely. */
export interface BodyShare {
  add(bytes: number): void;
  /** Gives the memory back: the body is complete or refused. */
  end(): void;
}

/** All of this process. Each source keeps its sum, so that finding the largest one does not read every body. */
const arriving = shareInProcess("arrivingBodies", () => ({ bySource: new Map<string, ArrivingSource>(), bytes: 0 }));

/**
 * Counts a body while it arrives. If all bodies together become too large, the oldest one of the source with the most
 * bytes has to go: clients that send quickly and little are never affected by one that opens many and stalls.
 * @param stop is called if it is this one
 */
export function trackBody(source: string, stop: () => void): BodyShare {
  let isOver = false;
  const body: ArrivingBody = {
    bytes: 0,
    stop: () => {
      end();
      stop();
    },
  };
  const end = () => {
    isOver = true;
    forget(source, body);
  };
  return {
    end,
    add: (bytes) => {
      if (isOver || bytes === 0) return;
      const ofSource = arriving.bySource.get(source) ?? { bodies: new Set(), bytes: 0 };
      arriving.bySource.set(source, ofSource);
      ofSource.bodies.add(body);
      body.bytes += bytes;
      ofSource.bytes += bytes;
      arriving.bytes += bytes;
      while (arriving.bytes > LIMITS.arrivingBodiesBytes && stopOne()) {}
    },
  };
}

function forget(source: string, body: ArrivingBody): void {
  const ofSource = arriving.bySource.get(source);
  if (!ofSource?.bodies.delete(body)) return;
  ofSource.bytes -= body.bytes;
  arriving.bytes -= body.bytes;
  if (ofSource.bodies.size === 0) arriving.bySource.delete(source);
}

/** @returns false if no body is arriving */
function stopOne(): boolean {
  let largest: ArrivingSource | null = null;
  for (const ofSource of arriving.bySource.values()) {
    if (largest === null || ofSource.bytes > largest.bytes) largest = ofSource;
  }
  const oldest = largest?.bodies.values().next().value;
  oldest?.stop();
  return oldest !== undefined;
}
