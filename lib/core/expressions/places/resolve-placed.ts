import type { WrittenPlace } from "#lib/contract/action/field-places";
import { parseTemplate } from "#lib/core/expressions/parse-template";
import { ADDRESS_WRITER } from "#lib/core/expressions/places/address-writer";
import { BBCODE_WRITER } from "#lib/core/expressions/places/bbcode-writer";
import { FORM_WRITER, JSON_WRITER, MULTIPART_WRITER, XML_WRITER } from "#lib/core/expressions/places/body-writers";
import { CELL_WRITER } from "#lib/core/expressions/places/cell-writer";
import { GRAPHQL_WRITER } from "#lib/core/expressions/places/graphql-writer";
import { HTML_WRITER } from "#lib/core/expressions/places/html-writer";
import { listPieces, piecesOf, readExpression } from "#lib/core/expressions/places/list-pieces";
import { MARKDOWN_V2_WRITER, MARKDOWN_WRITER } from "#lib/core/expressions/places/markdown-writers";
import { refusePiece } from "#lib/core/expressions/places/piece";
import type { PlaceWriter } from "#lib/core/expressions/places/place-writer";
import { RANGE_WRITER } from "#lib/core/expressions/places/range-writer";
import { resolveUrl } from "#lib/core/expressions/places/resolve-url";
import { countExpressions, resolveTemplate } from "#lib/core/expressions/resolve-template";
import { type TemplateBudget, writeText } from "#lib/core/expressions/template-budget";

/** Writes a word of a search in which `*` is any text and has no escape. Only the author writes one. */
const TOKEN_WRITER = wordWriter("*", "contains *, which finds any text here. Use raw(…) if you mean it");

/** Writes one of the names that a request joins with commas. */
const NAME_WRITER = wordWriter(",", "contains a comma, which separates names. Use a list for several");

function wordWriter(special: string, problem: string): PlaceWriter {
  return {
    write: (pieces, { field, budget }) =>
      pieces
        .map((piece) => {
          if (typeof piece === "string") return piece;
          const text = writeText(piece.value, budget);
          if (text.includes(special)) throw refusePiece(field, piece.source, problem);
          return text;
        })
        .join(""),
  };
}

/** Keeps `=?` from starting an encoded word (RFC 2047, 2). It has no width. */
const WORD_JOINER = "\u2060";

/** Writes the text of an email header. A value is a part of its line, and shown as it is. */
const HEADER_WRITER: PlaceWriter = {
  write: (pieces, { budget }) => {
    let last = "";
    const texts = pieces.map((piece) => {
      const text =
        typeof piece === "string" ? piece : writeText(piece.value, budget).replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
      const isSplit = typeof piece !== "string" && last === "=" && text.startsWith("?");
      last = text.slice(-1) || last;
      if (typeof piece === "string") return text;
      return (isSplit ? WORD_JOINER : "") + text.replaceAll("=?", `=${WORD_JOINER}?`);
    });
    return texts.join("");
  },
};

const WRITERS: Readonly<Record<Exclude<WrittenPlace, "url">, PlaceWriter>> = {
  addresses: ADDRESS_WRITER,
  bbcode: BBCODE_WRITER,
  cell: CELL_WRITER,
  html: HTML_WRITER,
  markdown: MARKDOWN_WRITER,
  form: FORM_WRITER,
  graphql: GRAPHQL_WRITER,
  header: HEADER_WRITER,
  json: JSON_WRITER,
  markdown_v2: MARKDOWN_V2_WRITER,
  multipart: MULTIPART_WRITER,
  name: NAME_WRITER,
  range: RANGE_WRITER,
  token: TOKEN_WRITER,
  xml: XML_WRITER,
};

/** A text of these that is one value is the whole document, message or address, not data in it. */
const WHOLE: ReadonlySet<WrittenPlace> = new Set([
  ...(["url", "range", "json", "graphql", "xml", "form", "multipart"] as const),
  ...(["html", "markdown", "markdown_v2", "bbcode"] as const),
]);

/**
 * Resolves a text of a language, in which a value is only data. What the author wrote stays as it is, and so does a value of
 * `raw` or of a function that writes for the language.
 * @param field the field, for errors
 * @throws StepError VALIDATION_ERROR as resolveTemplate does, or for a value that its place can't hold
 */
export function resolvePlaced(
  text: string,
  place: WrittenPlace,
  scope: Record<string, unknown>,
  budget: TemplateBudget,
  field: string,
): unknown {
  const template = parseTemplate(text);
  const [only] = template.parts;
  const isOne = template.parts.length === 1;
  if (isOne && (typeof only === "string" || WHOLE.has(place))) return resolveTemplate(text, scope, budget);
  countExpressions(text, budget);
  if (place === "url") return resolveUrl(template, scope, budget, field);
  const reading = { place, scope, budget };
  const writer = WRITERS[place];
  const context = { field, budget };
  if (!isOne || only === undefined || typeof only === "string") {
    return writer.write(listPieces(template, reading), context);
  }
  const given = readExpression(only.root, reading);
  if (given.isWritten) return given.value;
  if (typeof given.value === "string") return writer.write(piecesOf(given, only.source, budget), context);
  return writer.writeValue ? writer.writeValue({ value: given.value, source: only.source }, context) : given.value;
}
