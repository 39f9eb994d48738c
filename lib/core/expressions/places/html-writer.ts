import { followHtml, type HtmlPlace, htmlStart } from "#lib/core/expressions/places/html-place";
import { type Piece, type PlacedValue, refusePiece } from "#lib/core/expressions/places/piece";
import type { PlaceWriter, WritingContext } from "#lib/core/expressions/places/place-writer";
import { endUrl, startUrl, type UrlWriting, writeUrl, writeUrlValue } from "#lib/core/expressions/places/url-writer";
import { spendCharacters, writeText } from "#lib/core/expressions/template-budget";
import { addUnresolved, markupAsText } from "#lib/core/expressions/unresolved-path";

/** Attributes whose value is a URL (HTML, Index: Attributes). */
const URL_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...["action", "background", "cite", "data", "formaction", "href", "longdesc", "poster", "src", "xlink:href"],
]);
const TAG = /<\/?[a-z][^<>]*>/i;
const NAME = /^[\w:.-]*$/;
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** What a quoted string and a program keep as it is. */
const CODE_CHARACTERS = /[^\p{L}\p{N} _.,:@/-]/gu;
const CSS_CHARACTERS = /[^\p{L}\p{N} _.,#%-]/gu;
/** Colors and sizes that are written as functions. */
const CSS_FUNCTION = /^(?:rgba?|hsla?|calc|var)\([\w\s.,%+*/-]*\)$/i;

interface Html {
  text: string;
  place: HtmlPlace;
  /** The URL in the attribute that is open. */
  url: UrlWriting | null;
  context: WritingContext;
}

/**
 * Writes HTML. A value is text, or the text of an attribute: it opens no tag and ends no attribute. In the URL of a link, it
 * is encoded like in any URL, too.
 */
export const HTML_WRITER: PlaceWriter = {
  write: (pieces, context) => {
    const html: Html = { text: "", place: htmlStart(), url: null, context };
    for (const [at, piece] of pieces.entries()) {
      if (typeof piece === "string") copy(html, piece);
      else writeValue(html, piece, pieces, at);
    }
    return html.text;
  },
};

/** Takes a text of the author as it is. */
function copy(html: Html, text: string): void {
  html.text += text;
  for (const character of text) {
    const wasInUrl = isInUrl(html.place);
    followHtml(html.place, character);
    if (!isInUrl(html.place)) closeUrl(html);
    // The quote that opens an attribute is no part of its URL, the first character of one without quotes is.
    else if (wasInUrl || html.place.at === "unquoted") writeUrl(openUrl(html), character);
  }
}

function isInUrl({ at, attribute, tag }: HtmlPlace): boolean {
  return (at === "double" || at === "single" || at === "unquoted") && isUrlAttribute(tag, attribute);
}

function isUrlAttribute(tag: string, attribute: string): boolean {
  return URL_ATTRIBUTES.has(attribute) && (attribute !== "data" || tag === "object");
}

function openUrl(html: Html): UrlWriting {
  html.url ??= startUrl(html.context.field, { isLink: true });
  return html.url;
}

function closeUrl(html: Html): void {
  if (html.url) endUrl(html.url);
  html.url = null;
}

function writeValue(html: Html, placed: PlacedValue, pieces: readonly Piece[], index: number): void {
  const { place, context } = html;
  const at = place.at === "equals" ? "unquoted" : place.at;
  const plain = textIn(html, at, placed, pieces, index);
  const written = escapeFor(html, at, plain, placed);
  spendCharacters(context.budget, Math.max(0, written.length - plain.length));
  // A missing value must not make the next attribute the value of this one.
  const text = written === "" && place.at === "equals" ? '""' : written;
  html.text += text;
  if (place.at === "equals") place.at = written === "" ? "tag" : "unquoted";
  else if (at === "name" || at === "tag" || at === "attribute") for (const one of text) followHtml(place, one);
}

/** Returns the characters of a value before they are escaped for HTML. */
function textIn(html: Html, at: HtmlPlace["at"], placed: PlacedValue, pieces: readonly Piece[], index: number): string {
  const { place, context } = html;
  const isAttribute = at === "double" || at === "single" || at === "unquoted";
  if (!isAttribute) return writeText(placed.value, context.budget);
  if (isUrlAttribute(place.tag, place.attribute)) {
    const [before, after] = [pieces[index - 1], pieces[index + 1]];
    const isOpen = html.url !== null && html.url.url !== "";
    const around = {
      isAfterValue: isOpen && typeof before === "object",
      isBeforeValue: typeof after === "object",
      next: typeof after === "string" ? (after.split(/["'\s>]/)[0] ?? "") : "",
    };
    return writeUrlValue(openUrl(html), { ...placed, ...around }, context.budget);
  }
  const text = writeText(placed.value, context.budget);
  if (place.attribute === "style") return escapeCss(text);
  return place.attribute.startsWith("on") ? escapeCode(text) : text;
}

function escapeFor(html: Html, at: HtmlPlace["at"], text: string, { source }: PlacedValue): string {
  switch (at) {
    case "double":
      return text.replace(/[&<>"]/g, entity);
    case "single":
      return text.replace(/[&<>']/g, entity);
    case "unquoted":
      return text.replace(/[&<>"'`=\s\p{Cc}]/gu, entity);
    case "element":
      if (html.place.tag === "script") return escapeCode(text);
      return html.place.tag === "style" ? escapeCss(text) : text.replace(/[&<>]/g, entity);
    case "text":
      if (TAG.test(text)) addUnresolved(html.context.budget.unresolved, markupAsText(source));
      return text.replace(/[&<>]/g, entity);
    case "comment":
      return text.replace(/[&<>]/g, entity);
    default:
      if (NAME.test(text)) return text;
      throw refusePiece(
        html.context.field,
        source,
        "must be a name, because it is inside of a tag. Use raw(…) for markup",
      );
  }
}

function entity(character: string): string {
  return ENTITIES[character] ?? `&#${character.codePointAt(0)};`;
}

/** A quote of a string becomes an escape that JSON and JavaScript read. Outside of a string, it is an error and no code. */
function escapeCode(text: string): string {
  return text.replace(CODE_CHARACTERS, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at)).padStart(4, "0")}`).join(
      "",
    ),
  );
}

/** CSS Syntax, 4.3.7: an escape is a part of a string or a name, never the end of one. */
function escapeCss(text: string): string {
  if (CSS_FUNCTION.test(text)) return text;
  return text.replace(CSS_CHARACTERS, (character) => `\\${hex(character.codePointAt(0) ?? 0)} `);
}

function hex(code: number): string {
  return code.toString(16);
}
