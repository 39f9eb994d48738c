/** Why the sanitizer replaced a value with each marker (contract, Redaction). */
const MEANINGS: Record<string, string> = {
  "[REDACTED]": "A secret was removed. Timelines never contain secrets.",
  "[REDACTED_EMAIL]": "An email address was removed. Timelines never contain personal data.",
  "[REDACTED_PHONE]": "A phone number was removed. Timelines never contain personal data.",
  "[REDACTED_TOKEN]": "A long token was removed. Timelines never contain secrets.",
  "[TRUNCATED_DEPTH]": "The value is nested more than ten levels deep. Deeper levels are not stored.",
};

const MARKERS = /(\[REDACTED(?:_EMAIL|_PHONE|_TOKEN)?\]|\[TRUNCATED_DEPTH\])/;

export interface TextPart {
  /** The offset in the text; unique per part. */
  at: number;
  text: string;
  /** Null for original text. */
  meaning: string | null;
}

/** Splits a text into original parts and markers of the sanitizer. */
export function splitRedactions(text: string): TextPart[] {
  let at = 0;
  const parts: TextPart[] = [];
  for (const part of text.split(MARKERS)) {
    if (part !== "") parts.push({ at, text: part, meaning: MEANINGS[part] ?? null });
    at += part.length;
  }
  return parts;
}
