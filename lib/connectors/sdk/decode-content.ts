import { Readable, type Transform } from "node:stream";
import {
  crc32,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { StepError } from "#lib/contract/run/step-error";

/** More than one is already rare. Each one multiplies what a small response can unfold to. */
const ENCODINGS_MAX = 3;
/** The first bytes, which distinguish the formats. */
const START_BYTES = 4;
const GZIP = Buffer.from([0x1f, 0x8b]);
/** Of a longer compressed response, bytes behind its end are an error. */
const KEPT_BYTES = 1_048_576;
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** Names that servers write here although they encode nothing: other headers, or charsets. */
const PLAIN: ReadonlySet<string> = new Set(["", "identity", "none", "binary", "7bit", "8bit", "utf-8", "utf8"]);

/**
 * Decodes the content of a response (RFC 9110, 8.4): the encodings in the reverse of the order in which they are listed.
 * A response without content has nothing to decode, whatever its header says, for example to HEAD.
 * @throws StepError VALIDATION_ERROR for an unknown encoding
 */
export function decodeContent(body: Readable, contentEncoding = ""): AsyncIterable<Buffer> {
  const encodings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => !PLAIN.has(name));
  return encodings.reduceRight<AsyncIterable<Buffer>>(
    (source, encoding) => decodeOne(source, encoding, encodings.length),
    body,
  );
}

async function* decodeOne(source: AsyncIterable<Buffer>, encoding: string, count: number): AsyncGenerator<Buffer> {
  const parts = source[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.byteLength < START_BYTES) {
    const part = await parts.next();
    if (part.done) break;
    start = Buffer.concat([start, part.value]);
  }
  if (start.byteLength === 0) return;
  if (count > ENCODINGS_MAX) throw unsupported(`${count} encodings`);
  const decoder = decoderOf(encoding, start);
  const read: Buffer[] = [];
  const whole = joined(start, parts, startsWith(start, GZIP) ? read : null);
  if (!decoder) {
    yield* whole;
    return;
  }
  const input = Readable.from(whole);
  // pipe() does not pass errors on, so a broken connection would leave the decoder waiting.
  input.on("error", (error) => decoder.destroy(error));
  let given = 0;
  try {
    for await (const part of input.pipe(decoder) as AsyncIterable<Buffer>) {
      given += part.byteLength;
      yield part;
    }
  } catch (error) {
    const content = isZlibError(error) ? await gunzipBefore(Buffer.concat(read)) : null;
    if (content === null) throw error;
    yield content.subarray(given);
  } finally {
    input.destroy();
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^Z_/.test(String(error.code));
}

/** The parts of a header of gzip that are there if its flag is set (RFC 1952, 2.3). */
const FLAGS = { check: 2, extra: 4, name: 8, comment: 16 } as const;
const HEADER_BYTES = 10;
/** The checksum and the size of the content. */
const TRAILER_BYTES = 8;

/**
 * Decompresses gzip that has other bytes behind it, such as a line break, which the decoder of Node.js refuses and browsers
 * ignore. The checksum says whether the content before them is whole.
 * @returns null if it is not
 */
async function gunzipBefore(bytes: Buffer): Promise<Buffer | null> {
  const contents: Buffer[] = [];
  for (let at = 0; startsWith(bytes.subarray(at), GZIP); ) {
    const start = at + headerBytes(bytes.subarray(at));
    const inflater = createInflateRaw();
    inflater.end(bytes.subarray(start));
    const parts = await (inflater.toArray() as Promise<Buffer[]>).catch(() => null);
    const end = start + inflater.bytesWritten;
    if (parts === null || end + TRAILER_BYTES > bytes.byteLength) return null;
    const content = Buffer.concat(parts);
    const isWhole = bytes.readUInt32LE(end) === crc32(content) && bytes.readUInt32LE(end + 4) === content.byteLength;
    if (!isWhole) return null;
    contents.push(content);
    at = end + TRAILER_BYTES;
  }
  return contents.length === 0 ? null : Buffer.concat(contents);
}

function headerBytes(bytes: Buffer): number {
  const flags = bytes[3] ?? 0;
  let length = HEADER_BYTES;
  if ((flags & FLAGS.extra) !== 0) length += 2 + (bytes[length] ?? 0) + 256 * (bytes[length + 1] ?? 0);
  for (const flag of [FLAGS.name, FLAGS.comment]) {
    if ((flags & flag) !== 0) length = bytes.indexOf(0, length) + 1 || bytes.byteLength;
  }
  return length + ((flags & FLAGS.check) !== 0 ? 2 : 0);
}

/** @param read gets the first bytes of what was yielded */
async function* joined(start: Buffer, rest: AsyncIterator<Buffer>, read: Buffer[] | null): AsyncGenerator<Buffer> {
  let room = KEPT_BYTES;
  const keep = (part: Buffer) => {
    room -= part.byteLength;
    if (room >= 0) read?.push(part);
    return part;
  };
  try {
    yield keep(start);
    for (let part = await rest.next(); !part.done; part = await rest.next()) yield keep(part.value);
  } finally {
    await rest.return?.();
  }
}

/** @returns null for content that is not encoded although its header says so, as behind some proxies */
function decoderOf(encoding: string, start: Buffer): Transform | null {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return startsWith(start, GZIP) || !isText(start) ? createGunzip() : null;
    case "deflate":
      // RFC 9110, 8.4.1.2: the zlib format. Some servers send the raw format.
      return isZlib(start) ? createInflate() : createInflateRaw();
    case "br":
      return createBrotliDecompress();
    case "zstd":
      return startsWith(start, ZSTD) || !isText(start) ? createZstdDecompress() : null;
    default:
      throw unsupported(encoding);
  }
}

function startsWith(bytes: Buffer, magic: Buffer): boolean {
  return bytes.subarray(0, magic.byteLength).equals(magic);
}

function isText(bytes: Buffer): boolean {
  return bytes.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

/** RFC 1950, 2.2: the method is 8, and the first two bytes are a multiple of 31. */
function isZlib([first = 0, second = 0]: Buffer): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

function unsupported(encoding: string): StepError {
  return new StepError("VALIDATION_ERROR", `The response is compressed with ${encoding}, which is not supported`);
}
