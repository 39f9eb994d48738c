/** The place in a Markdown text after what is written so far. */
export interface MarkdownPlace {
  at: "text" | "code" | "block" | "url";
  /** True if a backslash escapes the next character. */
  isEscaped: boolean;
  /** How many backticks are open, or were read in a row. */
  ticks: number;
  /** The last character, or an empty text. */
  last: string;
}

export function markdownStart(): MarkdownPlace {
  return { at: "text", isEscaped: false, ticks: 0, last: "" };
}

/**
 * Follows a text from left to right, character by character: code between backticks, blocks between three of them, and the
 * URL of a link in `[…](…)`. A backslash escapes a character everywhere in MarkdownV2, and outside of code in Markdown.
 */
export function followMarkdown(place: MarkdownPlace, character: string, { isV2 }: { isV2: boolean }): void {
  const { last, isEscaped } = place;
  place.last = isEscaped ? "" : character;
  place.isEscaped = false;
  if (isEscaped) return;
  if (character === "\\" && (isV2 || place.at === "text" || place.at === "url")) {
    place.isEscaped = true;
  } else if (place.at === "url") {
    if (character === ")") place.at = "text";
  } else if (character === "`") {
    takeTick(place, last === "`");
  } else if (place.at === "text" && character === "(" && last === "]") {
    place.at = "url";
  }
}

/** Three backticks in a row open and close a block, one opens and closes code. Two are code without a text. */
function takeTick(place: MarkdownPlace, isNext: boolean): void {
  place.ticks = isNext ? place.ticks + 1 : 1;
  if (place.ticks === 3) {
    place.at = place.at === "block" ? "text" : "block";
    place.ticks = 0;
    place.last = "";
  } else if (place.at !== "block") {
    place.at = place.at === "code" ? "text" : "code";
  }
}
