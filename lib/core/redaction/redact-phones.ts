/** Spaces within a line, brackets and hyphens of any width. */
const GAP = String.raw`[ \t\u00a0\u2007\u202f()\-\u2010-\u2015]`;
const rest = (gap: string) => String.raw`${gap}{0,3}\d{3}${gap}{0,3}\d{3}${gap}{0,2}\d{2}${gap}{0,2}\d{2}`;

/**
 * `+7` and ten digits, also with dots; `%2B` is the encoded plus in a URL. In base64, a letter or digit precedes the
 * plus, so it does not match.
 */
const INTERNATIONAL = String.raw`(?:\+|%2B)(?<![A-Za-z0-9_](?:\+|%2B))7${rest(GAP.replace("[", "[."))}(?!\d)`;
/** `8` and ten digits on their own: not the end of a longer word or number, and not part of a decimal fraction. */
const NATIONAL = String.raw`8(?<!(?:[A-Za-z0-9_]|\d[.,])8)${rest(GAP)}(?!\d)`;

/**
 * Each boundary is checked after the first character of its pattern, so that it is only evaluated at that character.
 */
const PHONE = new RegExp(`${INTERNATIONAL}|${NATIONAL}`, "gi");
const MIN_LENGTH = 11;

/** Eleven digits in a row only count as a phone number if an area code of the numbering plan can start there. */
const BARE_ID = /^8[^34789]\d{9}$/;
/** Digits and hyphens followed directly by a letter are part of a UUID or another id. */
const ID_START = /^8[\d-]*$/;
const ID_REST = /[A-Za-z_]/;

/**
 * Replaces Russian phone numbers that start with +7 or 8 (contract, Redaction). Keeps ids of eleven digits if they can
 * be distinguished.
 */
export function redactPhones(text: string): string {
  if (text.length < MIN_LENGTH) return text;
  return text.replace(PHONE, (match, offset: number) => {
    const isId = BARE_ID.test(match) || (ID_START.test(match) && ID_REST.test(text.charAt(offset + match.length)));
    return isId ? match : "[REDACTED_PHONE]";
  });
}
