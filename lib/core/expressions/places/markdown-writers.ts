import { escapeMarkdown, escapeMarkdownV2 } from "#lib/core/expressions/places/markdown-escapes";
import { followMarkdown, type MarkdownPlace, markdownStart } from "#lib/core/expressions/places/markdown-place";
import type { Piece, PlacedValue } from "#lib/core/expressions/places/piece";
import type { PlaceWriter, WritingContext } from "#lib/core/expressions/places/place-writer";
import { endUrl, startUrl, type UrlWriting, writeUrl, writeUrlValue } from "#lib/core/expressions/places/url-writer";
import { spendCharacters, writeText } from "#lib/core/expressions/template-budget";

interface Flavor {
  isV2: boolean;
  /** Escapes a value in a text that ends with `before`. */
  escapeText(text: string, before: string): string;
  escapeCode(text: string): string;
  escapeUrl(text: string): string;
}

/** https://core.telegram.org/bots/api#markdownv2-style: each of the three places has its own characters. */
export const MARKDOWN_V2_WRITER = markdownWriter({
  isV2: true,
  escapeText: escapeMarkdownV2,
  escapeCode: (text) => text.replace(/[`\\]/g, "\\$&"),
  escapeUrl: (text) => text.replace(/[)\\]/g, "\\$&"),
});

/**
 * Markdown with the marks of https://dev.max.ru/docs-api/use-cases/sending-messages/text-formatting, and escapes as in
 * CommonMark, 2.4 and 6.1: no escape works inside of code, where a backtick becomes an apostrophe.
 */
export const MARKDOWN_WRITER = markdownWriter({
  isV2: false,
  escapeText: escapeMarkdown,
  escapeCode: (text) => text.replaceAll("`", "'"),
  escapeUrl: (text) => text.replace(/[()\\<>\s]/g, encodeURIComponentFully),
});

function encodeURIComponentFully(character: string): string {
  return encodeURIComponent(character).replace(/[()]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** As much as decides whether a line starts. */
const TAIL_CHARACTERS = 8;

interface Markdown {
  text: string;
  /** The end of the text. */
  tail: string;
  place: MarkdownPlace;
  /** The URL of the link that is open. */
  url: UrlWriting | null;
  context: WritingContext;
}

function markdownWriter(flavor: Flavor): PlaceWriter {
  return {
    write: (pieces, context) => {
      const markdown: Markdown = { text: "", tail: "", place: markdownStart(), url: null, context };
      for (const [at, piece] of pieces.entries()) {
        if (typeof piece === "string") copy(markdown, piece, flavor);
        else writeValue(markdown, piece, pieces, at, flavor);
      }
      return markdown.text;
    },
  };
}

/** Takes a text of the author as it is. */
function copy(markdown: Markdown, text: string, flavor: Flavor): void {
  append(markdown, text);
  for (const character of text) {
    const wasUrl = markdown.place.at === "url";
    followMarkdown(markdown.place, character, flavor);
    if (markdown.place.at !== "url") closeUrl(markdown);
    else if (wasUrl) writeUrl(openUrl(markdown), character);
  }
}

/** Reading the end of the whole text for each value would take quadratic time. */
function append(markdown: Markdown, text: string): void {
  markdown.text += text;
  markdown.tail = (markdown.tail + text.slice(-TAIL_CHARACTERS)).slice(-TAIL_CHARACTERS);
}

function openUrl(markdown: Markdown): UrlWriting {
  markdown.url ??= startUrl(markdown.context.field, { isLink: true });
  return markdown.url;
}

function closeUrl(markdown: Markdown): void {
  if (markdown.url) endUrl(markdown.url);
  markdown.url = null;
}

function writeValue(
  markdown: Markdown,
  placed: PlacedValue,
  pieces: readonly Piece[],
  index: number,
  flavor: Flavor,
): void {
  const { place, context } = markdown;
  const plain = textIn(markdown, placed, pieces, index);
  if (plain === "") return;
  const escaped = escapeIn(place, plain, markdown.tail, flavor);
  spendCharacters(context.budget, escaped.length - plain.length);
  // A backslash of the author escapes the first character already.
  append(markdown, place.isEscaped && escaped.startsWith("\\") ? escaped.slice(1) : escaped);
  Object.assign(place, { isEscaped: false, ticks: 0, last: "" });
}

function escapeIn({ at }: MarkdownPlace, text: string, before: string, flavor: Flavor): string {
  if (at === "url") return flavor.escapeUrl(text);
  return at === "text" ? flavor.escapeText(text, before) : flavor.escapeCode(text);
}

/** Returns the characters of a value before they are escaped. */
function textIn(markdown: Markdown, placed: PlacedValue, pieces: readonly Piece[], index: number): string {
  const { place, context } = markdown;
  if (place.at !== "url") return writeText(placed.value, context.budget);
  const [before, after] = [pieces[index - 1], pieces[index + 1]];
  const around = {
    isAfterValue: (markdown.url?.url ?? "") !== "" && typeof before === "object",
    isBeforeValue: typeof after === "object",
    next: typeof after === "string" ? (after.split(/[)\s]/)[0] ?? "") : "",
  };
  return writeUrlValue(openUrl(markdown), { ...placed, ...around }, context.budget);
}
