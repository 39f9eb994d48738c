import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/step-error";

/** The limit after decompression: a few kilobytes can unfold to gigabytes. */
const MAX_BYTES = 10 * 1_048_576;

/**
 * Reads a response to its end. We don't ask for compression, but a server that compresses anyway is understood.
 * @param untilRoom waits until the process has room for the rest of a large one
 * @throws StepError VALIDATION_ERROR if the body is larger than 10 MiB or its compression is unknown
 */
export async function readResponseBody(
  body: Readable,
  encoding: string | undefined,
  untilRoom?: () => Promise<void>,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isLarge = false;
  const source = decoded(body, encoding);
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) {
      body.destroy();
      throw new StepError("data_too_large", `The response is larger than ${MAX_BYTES / 1_048_576} MiB`);
    }
    chunks.push(chunk);
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
