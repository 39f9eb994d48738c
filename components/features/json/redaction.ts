/** Why a marker of the sanitizer stands where a value was (contract, Redaction). */
const MEANINGS: Record<string, string> = {
  "[REDACTED]": "A secret stood here. The journal keeps no secrets.",
  "[REDACTED_EMAIL]": "An e-mail address stood here. The journal keeps no personal data.",
  "[REDACTED_PHONE]": "A phone number stood here. The journal keeps no personal data.",
  "[REDACTED_TOKEN]": "A long token stood here. The journal keeps no secrets.",
  "[TRUNCATED_DEPTH]": "The value went on more than ten levels deep. The journal stops there.",
};

const MARKERS = /(\[REDACTED(?:_EMAIL|_PHONE|_TOKEN)?\]|\[TRUNCATED_DEPTH\])/;

export interface TextPart {
  /** Where in the text it begins; tells the parts apart. */
  at: number;
  text: string;
  /** Null for what was really there. */
  meaning: string | null;
}

/** A text cut into what was there and what the sanitizer put in its place. */
export function splitRedactions(text: string): TextPart[] {
  let at = 0;
  const parts: TextPart[] = [];
  for (const part of text.split(MARKERS)) {
    if (part !== "") parts.push({ at, text: part, meaning: MEANINGS[part] ?? null });
    at += part.length;
  }
  return parts;
}
