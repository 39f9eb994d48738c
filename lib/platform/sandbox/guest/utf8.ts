const REPLACEMENT = "\ufffd";

/**
 * Encodes a text as UTF-8; a lone surrogate becomes U+FFFD. @exodus/bytes decodes twice as fast, but adds 300 KiB to
 * the snapshot with its base64, and every call copies the snapshot: that costs more than a whole short call.
 */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 3);
  let end = 0;
  for (let index = 0; index < text.length; index += 1) {
    let point = text.codePointAt(index) ?? 0;
    if (point > 0xffff) index += 1;
    else if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd;
    if (point < 0x80) {
      bytes[end++] = point;
      continue;
    }
    if (point < 0x800) {
      bytes[end++] = 0xc0 | (point >> 6);
    } else {
      if (point < 0x10000) {
        bytes[end++] = 0xe0 | (point >> 12);
      } else {
        bytes[end++] = 0xf0 | (point >> 18);
        bytes[end++] = 0x80 | ((point >> 12) & 0x3f);
      }
      bytes[end++] = 0x80 | ((point >> 6) & 0x3f);
    }
    bytes[end++] = 0x80 | (point & 0x3f);
  }
  return bytes.slice(0, end);
}

/** The number of bytes after a leading byte, and the range of the first of them (Unicode, table 3-7). */
function sequenceOf(lead: number): { more: number; low: number; high: number; bits: number } | null {
  if (lead >= 0xc2 && lead <= 0xdf) return { more: 1, low: 0x80, high: 0xbf, bits: lead & 0x1f };
  if (lead >= 0xe0 && lead <= 0xef) {
    return { more: 2, low: lead === 0xe0 ? 0xa0 : 0x80, high: lead === 0xed ? 0x9f : 0xbf, bits: lead & 0x0f };
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    return { more: 3, low: lead === 0xf0 ? 0x90 : 0x80, high: lead === 0xf4 ? 0x8f : 0xbf, bits: lead & 0x07 };
  }
  return null;
}

/**
 * Decodes UTF-8. Each maximal part of a broken sequence becomes one U+FFFD, as in the Encoding standard.
 * @throws TypeError when `isFatal` and the bytes are not UTF-8
 */
export function decodeUtf8(bytes: Uint8Array, isFatal: boolean): string {
  let text = "";
  let index = 0;
  while (index < bytes.length) {
    const lead = bytes[index++] ?? 0;
    if (lead < 0x80) {
      text += String.fromCharCode(lead);
      continue;
    }
    const sequence = sequenceOf(lead);
    let { more, low, high, bits: point } = sequence ?? { more: -1, low: 0, high: 0, bits: 0 };
    while (more > 0) {
      const next = bytes[index] ?? 0;
      if (next < low || next > high) break;
      point = (point << 6) | (next & 0x3f);
      index += 1;
      more -= 1;
      low = 0x80;
      high = 0xbf;
    }
    if (more !== 0 && isFatal) throw new TypeError("The encoded data was not valid utf-8");
    text += more === 0 ? String.fromCodePoint(point) : REPLACEMENT;
  }
  return text;
}
