import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { StepError } from "#lib/contract/step-error";

/** Decompressed: a few kilobytes can unfold to gigabytes. */
const MAX_BYTES = 10 * 1_048_576;

/**
 * Reads an answer to its end. We ask for no compression; a server that compresses all the same is understood.
 * @throws StepError VALIDATION_ERROR when it is larger than 10 MiB or compressed in a way we cannot read
 */
export async function readResponseBody(body: Readable, encoding: string | undefined): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const source = decoded(body, encoding);
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) {
      body.destroy();
      throw new StepError("data_too_large", `The answer is larger than ${MAX_BYTES / 1_048_576} MiB`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decoded(body: Readable, encoding = "identity"): Readable {
  const decoder = decoderOf(encoding.trim().toLowerCase());
  if (!decoder) return body;
  // pipe() passes no errors on, so a connection that breaks would leave the decoder waiting.
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
      throw new StepError("VALIDATION_ERROR", `The answer is compressed with ${encoding}, which cannot be read`);
  }
}
