import { isJsonObject } from "#lib/support/json";

/** What a model said. */
interface SpokenContent {
  text: string;
  /** Its words, if it refused in a part; empty otherwise. */
  refusal: string;
}

/** What a model thinks before it answers may be a part, too. */
const THOUGHTS = /think|thought|reason/i;

/**
 * Reads the content of a message: a text, a part, or a list of parts. Missing content is an empty text. Parts without text,
 * such as images, are left out.
 * @returns null if it, or the text of a part, is something else: a part of an answer is not the answer
 */
export function readContent(content: unknown): SpokenContent | null {
  if (content === null || content === undefined) return { text: "", refusal: "" };
  const spoken: SpokenContent = { text: "", refusal: "" };
  for (const part of [content].flat()) {
    const said = readPart(part);
    if (said === null) return null;
    spoken.text += said.text;
    spoken.refusal += said.refusal;
  }
  return spoken;
}

function readPart(part: unknown): SpokenContent | null {
  if (part === null) return { text: "", refusal: "" };
  if (typeof part === "string") return { text: part, refusal: "" };
  if (!isJsonObject(part)) return null;
  const { type, text, refusal, thought } = part;
  if (type === undefined && text === undefined && refusal === undefined) return null;
  if (THOUGHTS.test(String(type)) || thought === true) return { text: "", refusal: "" };
  const told = isJsonObject(text) ? text.value : (text ?? "");
  if (typeof told !== "string") return null;
  return { text: told, refusal: typeof refusal === "string" ? refusal : "" };
}
