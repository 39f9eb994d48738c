import { decodeUtf8, encodeUtf8 } from "#lib/platform/sandbox/guest/utf8";

/** Decodes `%xx` as bytes of UTF-8. A `%` without two hex digits is kept. */
export function percentDecode(text: string): string {
  if (!text.includes("%")) return text;
  const source = encodeUtf8(text);
  const bytes = new Uint8Array(source.length);
  let end = 0;
  for (let index = 0; index < source.length; index += 1) {
    const digits = source[index] === 0x25 ? String.fromCharCode(source[index + 1] ?? 0, source[index + 2] ?? 0) : "";
    if (/^[0-9a-f]{2}$/i.test(digits)) {
      bytes[end++] = Number.parseInt(digits, 16);
      index += 2;
    } else {
      bytes[end++] = source[index] ?? 0;
    }
  }
  return decodeUtf8(bytes.subarray(0, end), false);
}
