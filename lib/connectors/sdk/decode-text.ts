import { StepError } from "#lib/contract/run/step-error";

/** How far into a document its own declaration of a charset is looked for, as browsers do. */
const DECLARATION_BYTES = 1_024;
const DECLARATION = /<\?xml[^>]{0,200}\bencoding\s*=\s*["']([\w.:-]+)|<meta[^>]{0,200}\bcharset\s*=\s*["']?([\w.:-]+)/i;

/**
 * Decodes the text of JSON. JSON is UTF-8 whatever its content type says (RFC 8259, 8.1), unless the bytes say otherwise:
 * by a byte order mark, by the zero bytes of UTF-16, or because they are not UTF-8 and the content type names a charset.
 * @param label the charset of the content type
 * @throws StepError UPSTREAM_ERROR if the bytes are text in none of these
 */
export function decodeJsonText(bytes: Buffer, label: string | undefined): string {
  const text = decodeAs(unicodeOf(bytes) ?? utf16Of(bytes) ?? "utf-8", bytes, { isFatal: true });
  if (text !== null) return text;
  const named = label === undefined || /^utf-?8$/.test(label) ? null : decodeAs(label, bytes, { isFatal: true });
  if (named !== null) return named;
  const charset = label === undefined ? "UTF-8" : label;
  throw new StepError("answer_unreadable", `The response is declared as JSON but isn't text in the charset ${charset}`);
}

/**
 * Decodes text that is not JSON: by its byte order mark, by the charset of its content type, as UTF-8, or by the charset
 * that an XML or HTML document declares.
 * @throws StepError UPSTREAM_ERROR if the charset is unknown and the bytes are not UTF-8
 */
export function decodeText(bytes: Buffer, label: string | undefined): string {
  const marked = unicodeOf(bytes) ?? label;
  const text = marked === undefined ? null : decodeAs(marked, bytes, { isFatal: false });
  if (text !== null) return text;
  const unicode = decodeAs("utf-8", bytes, { isFatal: true });
  if (unicode !== null) return unicode;
  if (label !== undefined) throw new StepError("answer_unreadable", `The response has the unknown charset ${label}`);
  const [, xml, html] = DECLARATION.exec(bytes.toString("latin1", 0, DECLARATION_BYTES)) ?? [];
  const declared = xml ?? html;
  const read = declared === undefined ? null : decodeAs(declared, bytes, { isFatal: false });
  return read ?? new TextDecoder().decode(bytes);
}

/** @returns null for an unknown charset, and for bytes that are not text in it if that is fatal */
function decodeAs(label: string, bytes: Buffer, { isFatal }: { isFatal: boolean }): string | null {
  try {
    return new TextDecoder(label, { fatal: isFatal }).decode(bytes);
  } catch {
    return null;
  }
}

/** Reads a byte order mark, which is stronger than any label. */
function unicodeOf([first, second, third]: Buffer): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
}

/** Every JSON text starts with an ASCII character, so a zero byte next to it means UTF-16 (RFC 4627, 3). */
function utf16Of([first, second]: Buffer): string | null {
  if (first === undefined || second === undefined || (first === 0) === (second === 0)) return null;
  return first === 0 ? "utf-16be" : "utf-16le";
}
