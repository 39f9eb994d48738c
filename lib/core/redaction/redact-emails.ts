/** `%40` is the @ of an address inside a URL. */
const AT = /@|%40/g;
/**
 * What follows the @: up to eight labels and a top-level domain, of any script. `icon@2x.png` is a file name.
 * A label cannot hold the dot that ends it, so there is one way to match.
 */
const DOMAIN = /(?![1-4]x\.)(?:[\p{L}\p{N}-]{1,63}\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,24})/iuy;
/** Bytes of a label in a domain name, and at most as many characters. */
const MAX_LABEL = 63;

/** Letters, digits and `._%+-`; beyond ASCII the letters of Latin and Cyrillic. */
function isLocalPart(code: number): boolean {
  if (code >= 128) return (code >= 0xc0 && code <= 0x24f) || (code >= 0x400 && code <= 0x52f);
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 46 ||
    code === 95 ||
    code === 37 ||
    code === 43 ||
    code === 45
  );
}

/**
 * Replaces e-mail addresses. Instead of a pattern for the part before the @, which costs quadratic time or stops at a
 * length, it walks left from each @ that a domain follows, never past the address before: linear time.
 */
export function redactEmails(text: string): string {
  AT.lastIndex = 0;
  let clean = "";
  let kept = 0;
  let dot = 0;
  for (let match = AT.exec(text); match; match = AT.exec(text)) {
    let start = match.index;
    // A domain has a dot. Looking for the next one only when the last is passed keeps this linear.
    if (dot < AT.lastIndex) dot = text.indexOf(".", AT.lastIndex);
    if (dot === -1) break;
    if (dot - AT.lastIndex > MAX_LABEL) continue;
    DOMAIN.lastIndex = AT.lastIndex;
    if (start === kept || !DOMAIN.test(text)) continue;
    while (start > kept && isLocalPart(text.charCodeAt(start - 1))) start -= 1;
    if (start === match.index) continue;
    clean += `${text.slice(kept, start)}[REDACTED_EMAIL]`;
    kept = AT.lastIndex = DOMAIN.lastIndex;
  }
  return kept === 0 ? text : clean + text.slice(kept);
}
