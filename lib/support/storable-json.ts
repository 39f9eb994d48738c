/** U+0000 and lone surrogates: valid in JSON and in JavaScript, refused by Postgres in jsonb. */
const SUSPECT = /\\u(?:0000|d[89a-f])/;
const ESCAPE = /\\(?:u[0-9a-f]{4}|.)/g;
const UNSTORABLE = /^\\u(?:0000|d[89a-f][0-9a-f]{2})$/;

/**
 * JSON text that jsonb takes: what it refuses becomes U+FFFD. JSON.stringify escapes only lone surrogates (pairs stay
 * characters), so every escaped one is unstorable; escapes are read left to right so that `\\u0000` (a backslash and
 * letters) stays as it is.
 * @throws RangeError when the value is nested too deeply to be written
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  if (!SUSPECT.test(text)) return text;
  return text.replace(ESCAPE, (sequence) => (UNSTORABLE.test(sequence) ? "\\ufffd" : sequence));
}
