/** The characters that separate the parts of a JSON text (RFC 8259, 2), as `charCodeAt` returns them. */
export const QUOTE = 34;
export const COMMA = 44;
export const COLON = 58;
export const OPEN_ARRAY = 91;
export const CLOSE_ARRAY = 93;
export const OPEN_OBJECT = 123;
export const CLOSE_OBJECT = 125;

const BACKSLASH = 92;

/**
 * Returns the place of the quote that ends a string of a JSON text; its length or more if none does.
 * @param start the place of the quote that opens the string
 */
export function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) at += 1;
  }
  return at;
}
