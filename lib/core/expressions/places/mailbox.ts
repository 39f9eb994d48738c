/** A local part and a domain (RFC 5321, 4.1.2; letters of any script as in RFC 6531). */
const ADDRESS =
  /^(?:"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"|[^\s<>()[\],;:\\"@\p{Cc}]+)@(?:[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)*\.?|\[[0-9A-Za-z.:]+\])$/u;
/** RFC 5321, 4.5.3.1: a local part of 64 bytes, and a domain of 255. */
const ADDRESS_CHARACTERS = 320;
/** Words and quoted strings (RFC 5322, 3.2.5). */
const PHRASE = /^(?:"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"|[^()<>[\]:;@\\,."\p{Cc}])*$/u;
const NAMED = /^([^<>]*)<([^<>]*)>$/u;
const COMMENTED = /^(\S+)\s+\([^()\\\p{Cc}]*\)$/u;

export function isMailAddress(text: string): boolean {
  return text.length <= ADDRESS_CHARACTERS && ADDRESS.test(text);
}

/**
 * Returns a text that is one mailbox, such as `ada@example.com` or `Ada <ada@example.com>`, so that nothing in it ends the
 * mailbox; null if it is none, or more than one.
 */
export function readMailbox(text: string): string | null {
  const trimmed = text.trim();
  if (isMailAddress(trimmed)) return trimmed;
  const [, name = "", address = ""] = NAMED.exec(trimmed) ?? [];
  if (isMailAddress(address.trim())) return writeMailbox(name, address.trim());
  const [, commented = ""] = COMMENTED.exec(trimmed) ?? [];
  return isMailAddress(commented) ? trimmed : null;
}

/** Writes a mailbox with a name. Null if the name has addresses of its own, which the author can't have meant. */
function writeMailbox(name: string, address: string): string | null {
  if (PHRASE.test(name)) return `${name}<${address}>`;
  const words = name.trim().replace(/^"(.*)"$/su, "$1");
  return words.includes("@") && /[,;]/.test(words) ? null : `${quoteName(words)} <${address}>`;
}

/** Writes a display name. One with characters that have a meaning in an address becomes a quoted string. */
export function writeName(name: string): string {
  if (PHRASE.test(name) && !name.includes('"')) return name;
  const words = name.trim();
  return `${/^\s/.test(name) ? " " : ""}${quoteName(words)}${/\s$/.test(name) ? " " : ""}`;
}

function quoteName(name: string): string {
  return `"${escapeQuoted(name)}"`;
}

/** Escapes a value within a quoted string. Control characters have no place in a header (RFC 5322, 2.2). */
export function escapeQuoted(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").replace(/["\\]/g, "\\$&");
}
