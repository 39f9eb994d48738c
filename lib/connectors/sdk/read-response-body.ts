import type { Readable } from "node:stream";
import { decodeContent } from "#lib/connectors/sdk/decode-content";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";

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
  /**
   * Returns what was read if the response is `cut` off, or `anyhow` if it can't be read to its end for any reason.
   */
  mayEndEarly?: "cut" | "anyhow" | null;
}

/**
 * Reads a response to its end, or until it is complete. We don't ask for compression, but a server that compresses
 * anyway is understood.
 * @throws StepError VALIDATION_ERROR if the body is larger than the limit or its compression is unknown
 */
export async function readResponseBody(
  body: Readable,
  { encoding, untilRoom, responseBytes: maxBytes = MAX_BYTES, isComplete = null, mayEndEarly = null }: Reading,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isLarge = false;
  try {
    for await (const chunk of decodeContent(body, encoding)) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) {
        throw new StepError("data_too_large", `The response is larger than ${maxBytes / 1_048_576} MiB`);
      }
      chunks.push(chunk);
      if (isComplete?.(chunk)) break;
      if (isLarge || bytes <= LIMITS.largeResponseBytes) continue;
      isLarge = true;
      // What the server sends meanwhile stays in the buffers of the connection.
      await untilRoom?.();
    }
  } catch (error) {
    const isAccepted = mayEndEarly === "anyhow" || (mayEndEarly === "cut" && !(error instanceof StepError));
    if (!isAccepted) throw error;
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks);
}
