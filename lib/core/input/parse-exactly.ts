import { parseJsonText } from "#lib/core/input/parse-json";

/** What JavaScript may write in another way than the sender: `1.50`, `1e3`, `9007199254740993`. */
const INEXACT_NUMBER = /[[:,\s]-?(?:\d{16,}|\d+(?:\.\d*|[eE]))/;

/**
 * Parses a JSON text, with each number that JavaScript would write differently as the text that its sender wrote: a signature
 * may cover it, and two ids beyond 2^53 must not become one.
 * @throws ApiError like parseJsonText
 */
export function parseExactly(text: string): unknown {
  const value = parseJsonText(text);
  if (!INEXACT_NUMBER.test(text)) return value;
  return JSON.parse(text, (_key, found: unknown, context?: { source?: string }) =>
    typeof found === "number" && context?.source !== String(found) ? context?.source : found,
  );
}
