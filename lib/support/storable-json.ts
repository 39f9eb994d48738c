/** U+0000 and lone surrogates. They are valid in JSON and JavaScript, but PostgreSQL refuses them in jsonb. */
const SUSPECT = /\\u(?:0000|d[89a-f])/;
const ESCAPE = /\\(?:u[0-9a-f]{4}|.)/g;
const UNSTORABLE = /^\\u(?:0000|d[89a-f][0-9a-f]{2})$/;

/**
 * Returns JSON text that jsonb accepts; characters it refuses become U+FFFD. JSON.stringify escapes only lone
 * surrogates (pairs stay characters), so every escaped surrogate is unstorable. Escapes are read from left to right so
 * that `\\u0000` (a backslash and letters) stays as it is.
 * @throws RangeError if the value is nested too deeply to be serialized
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  if (!SUSPECT.test(text)) return text;
  return text.replace(ESCAPE, (sequence) => (UNSTORABLE.test(sequence) ? "\\ufffd" : sequence));
}
