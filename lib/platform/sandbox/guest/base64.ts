const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const ALPHABET = `${LETTERS}+/`;
const URL_ALPHABET = `${LETTERS}-_`;

/** Encodes bytes: `base64` with padding, `base64url` without. */
export function encodeBase64(bytes: ArrayLike<number>, form: "base64" | "base64url"): string {
  const alphabet = form === "base64" ? ALPHABET : URL_ALPHABET;
  let text = "";
  for (let index = 0; index < bytes.length; index += 3) {
    const left = bytes.length - index;
    const group = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    text += alphabet.charAt(group >> 18) + alphabet.charAt((group >> 12) & 63);
    if (left > 1) text += alphabet.charAt((group >> 6) & 63);
    if (left > 2) text += alphabet.charAt(group & 63);
  }
  return form === "base64" ? text.padEnd(Math.ceil(text.length / 4) * 4, "=") : text;
}

/** @throws Error InvalidCharacterError when a character is above U+00FF */
export function btoa(data: string): string {
  const text = String(data);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 255) {
      throw invalidCharacter("btoa takes characters up to U+00FF; encode other text with TextEncoder first");
    }
    bytes[index] = unit;
  }
  return encodeBase64(bytes, "base64");
}

/**
 * Decodes as the HTML standard says ("forgiving"): spaces are ignored, padding is optional.
 * @throws Error InvalidCharacterError
 */
export function atob(data: string): string {
  let text = String(data).replace(/[\t\n\f\r ]/g, "");
  if (text.length % 4 === 0) text = text.replace(/={1,2}$/, "");
  if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) throw invalidCharacter("The text is not valid base64");
  let bytes = "";
  let group = 0;
  let bits = 0;
  for (let index = 0; index < text.length; index += 1) {
    group = ((group << 6) | ALPHABET.indexOf(text.charAt(index))) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += String.fromCharCode((group >> bits) & 0xff);
  }
  return bytes;
}

function invalidCharacter(message: string): Error {
  const error = new Error(message);
  error.name = "InvalidCharacterError";
  return error;
}
