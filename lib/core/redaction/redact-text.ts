const REDACTED_TOKEN = "[REDACTED_TOKEN]";

/** contract, Redaction. */
const MIN_TOKEN_LENGTH = 40;
/** A complete JSON Web Token. Each of its parts can be shorter than 40 characters. */
export const WEB_TOKEN = /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8}[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{8}[A-Za-z0-9_.-]*/g;

/** A part with this many letters and digits together is not a word, even if it has fewer than 40 characters. */
const LONG_PART = 24;
/** With fewer pairs of neighboring characters than this, a text is too short to be judged as random. */
const MIN_PAIRS = 8;
/**
 * How often the kind of character changes between neighbors. Random text has 0.64; words, including CamelCase, have
 * 0.05 to 0.35. Without digits the threshold is higher, because CamelCase contains none.
 */
const MIXED_WITH_DIGITS = 0.35;
const MIXED_WITHOUT_DIGITS = 0.5;

/** A word in a path: lowercase letters and digits, or a capital followed by lowercase letters. */
const PLAIN_SEGMENT = /^(?:[a-z0-9_-]*|[A-Z][a-z_-]*)$/;

/** Replaces tokens of 40 or more characters. UUIDs, URL paths, slugs and ruler lines of that length stay readable. */
function redactTokens(text: string): string {
  if (text.length < MIN_TOKEN_LENGTH) return text;
  return redactRuns(text.includes("eyJ") ? text.replace(WEB_TOKEN, REDACTED_TOKEN) : text);
}

/**
 * Checks only every fortieth character, because a run of 40 token characters must include one of them. If such a
 * character is part of a run, measures the run in both directions. This is six times as fast as a pattern on prose, and
 * no character is read twice by more than one run.
 */
function redactRuns(text: string): string {
  let clean = "";
  let kept = 0;
  let floor = 0;
  for (let probe = MIN_TOKEN_LENGTH - 1; probe < text.length; probe += MIN_TOKEN_LENGTH) {
    if (!isRunCode(text.charCodeAt(probe))) continue;
    let start = probe;
    while (start > floor && isRunCode(text.charCodeAt(start - 1))) start -= 1;
    let end = probe + 1;
    while (end < text.length && isRunCode(text.charCodeAt(end))) end += 1;
    floor = probe = end;
    if (end - start < MIN_TOKEN_LENGTH) continue;
    const run = text.slice(start, end);
    const redacted = redactRun(run);
    if (redacted === run) continue;
    // Padding is part of the token before it.
    while (end < floor + 2 && text[end] === "=") end += 1;
    clean += text.slice(kept, start) + redacted;
    kept = end;
  }
  return kept === 0 ? text : clean + text.slice(kept);
}

/** Returns true for the characters of hex, base64 and base64url: letters, digits and `+/_-`. */
function isRunCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 45 ||
    code === 95 ||
    code === 43
  );
}

function redactRun(run: string): string {
  if (!run.includes("/")) return isToken(run, true) ? REDACTED_TOKEN : run;
  // Base64 that contains slashes looks random throughout. In a path, a single segment may look random among others that
  // are words.
  const segments = run.split("/");
  const hasToken = segments.some((segment) => segment.length >= MIN_TOKEN_LENGTH && isToken(segment, true));
  if (!hasToken) return isToken(run, false) ? REDACTED_TOKEN : run;
  const kept: string[] = [];
  for (const segment of segments) {
    if (PLAIN_SEGMENT.test(segment) && !(segment.length >= MIN_TOKEN_LENGTH && isToken(segment, true)))
      kept.push(segment);
    else if (kept.at(-1) !== REDACTED_TOKEN) kept.push(REDACTED_TOKEN);
  }
  return kept.join("/");
}

const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;
const OTHER = 8;
const BREAK = 0;

/** `-`, `_`, `/` and `.` separate parts; `+` and `=` belong to a part. */
function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  if (code >= 48 && code <= 57) return DIGIT;
  return code >= 45 && code <= 47 ? BREAK : code === 95 ? BREAK : OTHER;
}

/** Returns true for a to f and A to F. */
function isHexLetter(code: number): boolean {
  return (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
}

/**
 * Returns true for 40 letters and digits without a break, and for a mixture of lowercase letters, capitals and digits
 * that words do not have. Parts that are entirely hex are ids and are ignored.
 * @param isWhole false for the segments of a path, where a long part is an id rather than a secret
 */
function isToken(text: string, isWhole: boolean): boolean {
  let seen = 0;
  let pairs = 0;
  let changes = 0;
  for (let start = 0; start < text.length; ) {
    let partKinds = 0;
    let partChanges = 0;
    let isHex = true;
    let before = BREAK;
    let end = start;
    for (; end < text.length; end += 1) {
      const code = text.charCodeAt(end);
      const kind = kindOf(code);
      if (kind === BREAK) break;
      if (kind !== DIGIT && !isHexLetter(code)) isHex = false;
      if (before !== BREAK && before !== kind) partChanges += 1;
      partKinds |= kind;
      before = kind;
    }
    const length = end - start;
    start = end + 1;
    if (length >= MIN_TOKEN_LENGTH) return true;
    if (length === 0 || (isHex && partKinds !== (LOWER | UPPER | DIGIT))) continue;
    if (isWhole && length >= LONG_PART && partKinds & DIGIT && partKinds & (LOWER | UPPER)) return true;
    seen |= partKinds;
    pairs += length - 1;
    changes += partChanges;
  }
  if (pairs < MIN_PAIRS || !(seen & LOWER) || !(seen & UPPER)) return false;
  return changes / pairs >= (seen & DIGIT ? MIXED_WITH_DIGITS : MIXED_WITHOUT_DIGITS);
}

/** Replaces a secret that is recognized by its name. */
export const REDACTED = "[REDACTED]";

/**
 * A bearer token, unless the word after "Bearer" is one that usually follows it in prose and error messages: "Bearer
 * token is missing" stays readable.
 */
export const BEARER_TOKEN =
  /\bBearer[ \t]{1,4}(?!(?:auth|authentication|authorization|bonds?|credentials?|error|format|headers?|instruments?|is|keys?|may|must|of|or|realm|schemes?|shares?|tokens?|was)(?![A-Za-z0-9\-_~+/]|\.[A-Za-z0-9]))[A-Za-z0-9\-._~+/]+={0,2}/gi;

/** The contract names api_key, access_token and secret_key; these are their usual spellings. */
const SECRET_NAME = "(?:(?:api|secret)[_-]?key|access[_-]?token)";
/**
 * `api_key=...`, `"access_token": "..."`, `secretKey => '...'`, also in escaped JSON. A quoted value ends at its quote.
 * `{16}` and `*` are separate because `{16,}` puts each character on the pattern's stack, and 20 million characters
 * exhaust it.
 */
export const ASSIGNMENT = new RegExp(
  String.raw`${SECRET_NAME}\\{0,3}["']?\s{0,4}(?::|=>?)\s{0,4}` +
    String.raw`(?:\\{0,3}"[^"\r\n]{16}[^"\r\n]*|\\{0,3}'[^'\r\n]{16}[^'\r\n]*|[^\s"'\\,;&}]{16}[^\s"'\\,;&}]*)`,
  "gi",
);
const ENDS_IN_SECRET_NAME = new RegExp(`${SECRET_NAME}$`, "i");
/** contract, API keys. They have 36 characters, so the rule for 40 characters would miss them. */
export const OWN_KEY = /svc_[A-Za-z0-9_-]{32}[A-Za-z0-9_-]*/g;
/** decisions, Callbacks: anyone who has the token of an address can resume the run. */
export const CALLBACK_TOKEN_PREFIX = "scb_";
export const CALLBACK_TOKEN = /scb_[A-Za-z0-9_-]{64}[A-Za-z0-9_-]*/g;

/** No rule matches fewer characters: the shortest match is an email address, `a@b.cc`. */
const MIN_LENGTH = 6;
const MIN_ASSIGNMENT_LENGTH = 24;

/**
 * Returns true if a key of an object indicates that its value is a secret: `access_token`, `apiKey`,
 * `STRIPE_SECRET_KEY`.
 */
export function isSecretName(key: string): boolean {
  return ENDS_IN_SECRET_NAME.test(key);
}

/**
 * Replaces bearer tokens, assignments of secrets, our own keys, email addresses, Russian phone numbers and long tokens
 * in a text, in this order (contract, Redaction). Returns the same text if it contains none. The time is linear for
 * every text: each pattern starts with a literal or after a boundary, so no two attempts read the same characters, and
 * every inner quantifier is bounded or ends with its character class.
 */
export function redactText(text: string): string {
  if (text.length < MIN_LENGTH) return text;
  let clean = text.replace(BEARER_TOKEN, "Bearer [REDACTED]");
  if (clean.length >= MIN_ASSIGNMENT_LENGTH) {
    // A value in escaped JSON ends before `\"`: the backslash is part of the quote.
    clean = clean.replace(ASSIGNMENT, (match) => (match.endsWith("\\") ? `${REDACTED}\\` : REDACTED));
    if (clean.includes("svc_")) clean = clean.replace(OWN_KEY, REDACTED_TOKEN);
    if (clean.includes(CALLBACK_TOKEN_PREFIX)) clean = clean.replace(CALLBACK_TOKEN, REDACTED_TOKEN);
  }
  return redactTokens(redactPhones(redactEmails(clean)));
}

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
function redactEmails(text: string): string {
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
const MIN_PHONE_LENGTH = 11;

/** Eleven digits in a row only count as a phone number if an area code of the numbering plan can start there. */
const BARE_ID = /^8[^34789]\d{9}$/;
/** Digits and hyphens followed directly by a letter are part of a UUID or another id. */
const ID_START = /^8[\d-]*$/;
const ID_REST = /[A-Za-z_]/;

/**
 * Replaces Russian phone numbers that start with +7 or 8 (contract, Redaction). Keeps ids of eleven digits if they can
 * be distinguished.
 */
function redactPhones(text: string): string {
  if (text.length < MIN_PHONE_LENGTH) return text;
  return text.replace(PHONE, (match, offset: number) => {
    const isId = BARE_ID.test(match) || (ID_START.test(match) && ID_REST.test(text.charAt(offset + match.length)));
    return isId ? match : "[REDACTED_PHONE]";
  });
}
