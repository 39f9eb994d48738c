import type { PlaceWriter } from "#lib/core/expressions/places/place-writer";
import { spendCharacters, writeText } from "#lib/core/expressions/template-budget";

/**
 * The tags of Bitrix24: https://apidocs.bitrix24.com/api-reference/chats/messages/index.html, and of comments and tasks the
 * ones of its CTextParser.
 */
const TAGS =
  "b|i|u|s|p|h\\d|url|user|chat|context|dialog|project|department|disk|file|mail|email|img|video|icon|code|quote|spoiler|list|\\*|" +
  "table|tr|td|th|font|color|size|left|right|center|justify|br|hr|send|put|call|pch|rating|attach|timestamp|mention|cut|notag|tag";
const TAG_START = new RegExp(`\\[(?=/?(?:${TAGS})(?:[\\s=\\]/]|$))`, "gi");
/** A tag of the author that is open at the end of a text. */
const OPEN_TAG = new RegExp(`\\[(?:${TAGS})(?:[\\s=][^\\[\\]]*)?$`, "i");
const OPEN_BRACKET = /\[\/?$/;
/** BB code has no escape. This character has no width, and no tag has it in its name. */
const WORD_JOINER = "\u2060";
/** A tag of the author that is longer than this is none. */
const TAG_CHARACTERS = 500;

/**
 * Writes BB code. A bracket of a value that would open a tag is followed by a word joiner, so that people see the tag and
 * nothing else happens. Inside of a tag of the author, brackets are encoded as in a URL.
 */
export const BBCODE_WRITER: PlaceWriter = {
  write: (pieces, { budget }) => {
    let tail = "";
    const written = pieces.map((piece) => {
      const plain = typeof piece === "string" ? piece : writeText(piece.value, budget);
      const text = typeof piece === "string" ? piece : escapeBbcode(plain, tail);
      spendCharacters(budget, text.length - plain.length);
      tail = (tail + text.slice(-TAG_CHARACTERS)).slice(-TAG_CHARACTERS);
      return text;
    });
    return written.join("");
  },
};

function escapeBbcode(text: string, before: string): string {
  if (OPEN_TAG.test(before)) return text.replaceAll("[", "%5B").replaceAll("]", "%5D");
  const marked = text.replace(TAG_START, `[${WORD_JOINER}`);
  // The author's bracket and the value can be a tag together.
  const isTag = OPEN_BRACKET.test(before) && text !== "" && `[${text}`.search(TAG_START) === 0;
  // What the author writes next can complete the last bracket.
  const last = marked.replace(/\[\/?$/, (end) => end.replace("[", `[${WORD_JOINER}`));
  return isTag ? `${WORD_JOINER}${last}` : last;
}
