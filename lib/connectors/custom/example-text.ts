import type { JsonObject } from "#lib/contract/wire/json-schema";
import { matchPattern } from "#lib/core/expressions/match-pattern";

const CHARACTERS_MAX = 1_000;

const BY_FORMAT: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T09:00:00Z",
  time: "09:00:00Z",
  duration: "P1D",
  email: "person@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com",
  url: "https://example.com",
  "uri-reference": "/example",
  uuid: "0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b",
  byte: "SGVsbG8=",
};
/** Texts that many patterns accept. Signalbox does not check patterns, but the service does. */
const COMMON = [
  ...["text", "a", "A", "1", "ab", "AB", "12", "abc", "ABC", "123", "a1", "A1", "abcd", "ABCD", "1234", "12345"],
  ...["123456", "0123456789", "abc-123", "ABC-123", "abc_123", "+15550100000", "#336699", "1.0.0", "en-US", "/a"],
  ...["12:00", "0190a1b2c3d44e5f8a9b0c1d", ...Object.values(BY_FORMAT)],
];

/** Returns a text of the format, the pattern and the length of a schema, as far as they are known ones. */
export function exampleText({ format, pattern, minLength, maxLength, contentEncoding }: JsonObject): string {
  const least = typeof minLength === "number" ? Math.min(minLength, CHARACTERS_MAX) : 0;
  const most = typeof maxLength === "number" ? maxLength : CHARACTERS_MAX;
  const known = typeof format === "string" && Object.hasOwn(BY_FORMAT, format) ? BY_FORMAT[format] : undefined;
  const first = contentEncoding === "base64" ? BY_FORMAT.byte : known;
  const texts = first === undefined ? COMMON : [first, ...COMMON];
  const fitting = texts.filter((text) => text.length >= least && text.length <= most);
  if (typeof pattern === "string") {
    const matching = fitting.find((text) => matches(pattern, text));
    if (matching !== undefined) return matching;
  }
  return fitting[0] ?? "text".padEnd(least, "text").slice(0, most);
}

function matches(pattern: string, text: string): boolean {
  try {
    return matchPattern(pattern, text);
  } catch {
    return false;
  }
}
