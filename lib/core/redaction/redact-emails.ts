/** `%40` is the encoded @ of an address in a URL. */
const AT = /@|%40/g;
/**
 * The part after the @: up to eight labels and a top-level domain, in any script. `icon@2x.png` is a file name. A label
 * cannot contain the dot that ends it, so there is only one way to match.
 */
const DOMAIN = /(?![1-4]x\.)(?:[\p{L}\p{N}-]{1,63}\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,24})/iuy;
/** The maximum length of a label in a domain name, in bytes and therefore also in characters. */
const MAX_LABEL = 63;

/** Letters, digits and `._%+-`; beyond ASCII, Latin and Cyrillic letters. */
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
 * Replaces email addresses. A pattern for the part before the @ would take quadratic time or need a length limit.
 * Instead, this searches to the left from each @ that is followed by a domain, and stops at the previous address, so
 * the time is linear.
 */
export function redactEmails(text: string): string {
  AT.lastIndex = 0;
  let clean = "";
  let kept = 0;
  let dot = 0;
  for (let match = AT.exec(text); match; match = AT.exec(text)) {
    let start = match.index;
    // Every domain has a dot. Searching for the next dot only after passing the last one keeps the time linear.
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
