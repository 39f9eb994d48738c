import { createHash } from "node:crypto";

export interface Part {
  name: string;
  filename: string | null;
  /** Text fields have none: it is text/plain (RFC 7578, 4.4). */
  type: string | null;
  bytes: Uint8Array;
}

/**
 * Writes a multipart/form-data body (RFC 7578).
 * @param seed the same seed gives the same bytes, so that a retry sends what the first attempt sent
 */
export function writeMultipart(parts: readonly Part[], seed: string): { type: string; bytes: Uint8Array } {
  const boundary = chooseBoundary(parts, seed);
  const chunks = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${headersOf(part)}\r\n\r\n`, "utf8"),
    part.bytes,
    Buffer.from("\r\n"),
  ]);
  const bytes = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  return { type: `multipart/form-data; boundary=${boundary}`, bytes };
}

function headersOf({ name, filename, type }: Part): string {
  const file = filename === null ? "" : `; filename="${quoted(filename)}"`;
  const disposition = `Content-Disposition: form-data; name="${quoted(name)}"${file}`;
  return type === null ? disposition : `${disposition}\r\nContent-Type: ${type}`;
}

/** HTML, multipart/form-data encoding: what would end the name or its line is percent-encoded. */
function quoted(text: string): string {
  return text.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

/** A boundary must not occur in a part. A second try is needed only by someone who knows the seed. */
function chooseBoundary(parts: readonly Part[], seed: string): string {
  for (let attempt = 0; ; attempt += 1) {
    const boundary = `signalbox-${createHash("sha256").update(`${seed}/${attempt}`).digest("hex").slice(0, 40)}`;
    if (!parts.some(({ bytes }) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(boundary))) {
      return boundary;
    }
  }
}
