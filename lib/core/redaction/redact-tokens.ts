export const REDACTED_TOKEN = "[REDACTED_TOKEN]";

/** contract, Redaction. */
const MIN_LENGTH = 40;
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
export function redactTokens(text: string): string {
  if (text.length < MIN_LENGTH) return text;
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
  for (let probe = MIN_LENGTH - 1; probe < text.length; probe += MIN_LENGTH) {
    if (!isRunCode(text.charCodeAt(probe))) continue;
    let start = probe;
    while (start > floor && isRunCode(text.charCodeAt(start - 1))) start -= 1;
    let end = probe + 1;
    while (end < text.length && isRunCode(text.charCodeAt(end))) end += 1;
    floor = probe = end;
    if (end - start < MIN_LENGTH) continue;
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
  const hasToken = segments.some((segment) => segment.length >= MIN_LENGTH && isToken(segment, true));
  if (!hasToken) return isToken(run, false) ? REDACTED_TOKEN : run;
  const kept: string[] = [];
  for (const segment of segments) {
    if (PLAIN_SEGMENT.test(segment) && !(segment.length >= MIN_LENGTH && isToken(segment, true))) kept.push(segment);
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
    if (length >= MIN_LENGTH) return true;
    if (length === 0 || (isHex && partKinds !== (LOWER | UPPER | DIGIT))) continue;
    if (isWhole && length >= LONG_PART && partKinds & DIGIT && partKinds & (LOWER | UPPER)) return true;
    seen |= partKinds;
    pairs += length - 1;
    changes += partChanges;
  }
  if (pairs < MIN_PAIRS || !(seen & LOWER) || !(seen & UPPER)) return false;
  return changes / pairs >= (seen & DIGIT ? MIXED_WITH_DIGITS : MIXED_WITHOUT_DIGITS);
}
