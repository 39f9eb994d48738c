import { decodeUtf8, encodeUtf8 } from "#lib/platform/sandbox/guest/utf8";

/** The percent-encode sets of the URL standard; above U+007E everything is encoded. */
const FRAGMENT = ' "<>`';
const QUERY = ' "#<>';
const PATH = `${QUERY}?^\`{}`;
const USERINFO = `${PATH}/:;=@[\\]|`;
export const ENCODE = {
  opaque: "",
  fragment: FRAGMENT,
  query: QUERY,
  specialQuery: `${QUERY}'`,
  path: PATH,
  userinfo: USERINFO,
  form: `${USERINFO}$%&+,!'()~`,
} as const;

export function percentEncode(text: string, set: string): string {
  let encoded = "";
  for (const char of text) {
    const isPlain = char >= " " && char <= "~" && !set.includes(char);
    encoded += isPlain ? char : percentEncodeAll(char);
  }
  return encoded;
}

function percentEncodeAll(text: string): string {
  let encoded = "";
  for (const byte of encodeUtf8(text)) encoded += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  return encoded;
}

/** What `%xx` stands for, read as UTF-8; a `%` that begins nothing stays. */
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
