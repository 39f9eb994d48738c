/** Spaces of a line, brackets and hyphens of any width. */
const GAP = String.raw`[ \t\u00a0\u2007\u202f()\-\u2010-\u2015]`;
const rest = (gap: string) => String.raw`${gap}{0,3}\d{3}${gap}{0,3}\d{3}${gap}{0,2}\d{2}${gap}{0,2}\d{2}`;

/** `+7` and ten digits, also with dots; `%2B` is the plus inside a URL. Within base64 a letter or digit stands before. */
const INTERNATIONAL = String.raw`(?:\+|%2B)(?<![A-Za-z0-9_](?:\+|%2B))7${rest(GAP.replace("[", "[."))}(?!\d)`;
/** `8` and ten digits on their own: not the end of a longer word or number, nor part of a decimal fraction. */
const NATIONAL = String.raw`8(?<!(?:[A-Za-z0-9_]|\d[.,])8)${rest(GAP)}(?!\d)`;

/** The boundaries stand behind the first character, so that only where it stands they are looked at. */
const PHONE = new RegExp(`${INTERNATIONAL}|${NATIONAL}`, "gi");
const MIN_LENGTH = 11;

/** Eleven digits in a row are a phone number only where an area code of the numbering plan can begin. */
const BARE_ID = /^8[^34789]\d{9}$/;
/** Digits and hyphens alone that a letter follows belong to a UUID or another id. */
const ID_START = /^8[\d-]*$/;
const ID_REST = /[A-Za-z_]/;

/** Replaces Russian phone numbers, +7 or 8 (contract, Redaction). An id of eleven digits stays where it can be told. */
export function redactPhones(text: string): string {
  if (text.length < MIN_LENGTH) return text;
  return text.replace(PHONE, (match, offset: number) => {
    const isId = BARE_ID.test(match) || (ID_START.test(match) && ID_REST.test(text.charAt(offset + match.length)));
    return isId ? match : "[REDACTED_PHONE]";
  });
}
