import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/step-error";

/** The limit after decompression: a few kilobytes can unfold to gigabytes. */
const MAX_BYTES = 10 * 1_048_576;

interface Reading {
  encoding: string | undefined;
  /** Waits until the process has room for the rest of a large response. */
  untilRoom?: () => Promise<void>;
  /** The size after which the reading fails, 10 MiB by default. */
  responseBytes?: number;
  /** Ends the reading after the part for which it returns true. */
  isComplete?: ((part: Buffer) => boolean) | null;
}

/**
 * Reads a response to its end, or until it is complete. We don't ask for compression, but a server that compresses
 * anyway is understood.
 * @throws StepError VALIDATION_ERROR if the body is larger than the limit or its compression is unknown
 */
export async function readResponseBody(
  body: Readable,
  { encoding, untilRoom, responseBytes: maxBytes = MAX_BYTES, isComplete = null }: Reading,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isLarge = false;
  const source = decoded(body, encoding);
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      body.destroy();
      throw new StepError("data_too_large", `The response is larger than ${maxBytes / 1_048_576} MiB`);
    }
    chunks.push(chunk);
    if (isComplete?.(chunk)) {
      body.destroy();
      break;
    }
    if (isLarge || bytes <= LIMITS.largeResponseBytes) continue;
    isLarge = true;
    // What the server sends meanwhile stays in the buffers of the connection.
    await untilRoom?.();
  }
  return Buffer.concat(chunks);
}

function decoded(body: Readable, encoding = "identity"): Readable {
  const decoder = decoderOf(encoding.trim().toLowerCase());
  if (!decoder) return body;
  // pipe() does not pass errors on, so a broken connection would leave the decoder waiting.
  body.on("error", (error) => decoder.destroy(error));
  return body.pipe(decoder);
}

function decoderOf(encoding: string) {
  switch (encoding) {
    case "identity":
    case "":
      return null;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      throw new StepError("VALIDATION_ERROR", `The response is compressed with ${encoding}, which is not supported`);
  }
}
