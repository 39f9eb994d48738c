import { refusePiece } from "#lib/core/expressions/places/piece";
import type { PlaceWriter } from "#lib/core/expressions/places/place-writer";
import { spendCharacters, type TemplateBudget, writeText } from "#lib/core/expressions/template-budget";

/**
 * Writes a JSON text. Between quotes, a value is a part of the string; elsewhere it is one value: a text that is JSON by
 * itself stays as it is, and another becomes a string.
 */
export const JSON_WRITER: PlaceWriter = {
  write: (pieces, { budget }) => {
    let json = "";
    let isQuoted = false;
    let isEscaped = false;
    for (const [at, piece] of pieces.entries()) {
      if (typeof piece !== "string") {
        const isAlone = typeof pieces[at - 1] !== "object" && typeof pieces[at + 1] !== "object";
        const text = isQuoted ? quoted(piece.value, budget) : jsonOf(piece.value, isAlone, budget);
        // A backslash of the author escapes the first character.
        json += isEscaped && text.startsWith("\\") ? text.slice(1) : text;
        if (text !== "") isEscaped = false;
        continue;
      }
      json += piece;
      for (const character of piece) {
        if (isEscaped) isEscaped = false;
        else if (isQuoted && character === "\\") isEscaped = true;
        else if (character === '"') isQuoted = !isQuoted;
      }
    }
    return json;
  },
};

function quoted(value: unknown, budget: TemplateBudget): string {
  const text = writeText(value, budget);
  const escaped = JSON.stringify(text).slice(1, -1);
  spendCharacters(budget, escaped.length - text.length);
  return escaped;
}

function jsonOf(value: unknown, isAlone: boolean, budget: TemplateBudget): string {
  // Values side by side take what the branch before them produced: one of them has a value.
  if (value === null || value === undefined) return isAlone ? "null" : "";
  const text = writeText(value, budget);
  return typeof value !== "string" || (!isAlone && text === "") || isJson(text) ? text : `"${quoted(value, budget)}"`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Writes a form: each value is a part of a name or a value (HTML, application/x-www-form-urlencoded). */
export const FORM_WRITER: PlaceWriter = {
  write: (pieces, { budget }) =>
    pieces
      .map((piece) => {
        if (typeof piece === "string") return piece;
        const text = writeText(piece.value, budget);
        const encoded = encodeURIComponent(text.toWellFormed());
        spendCharacters(budget, Math.max(0, encoded.length - text.length));
        return encoded;
      })
      .join(""),
};

const DELIMITER = /^\s*(--[^\r\n]+)/;

/**
 * Writes multipart text (RFC 2046, 5.1): a value ends neither its part nor, in the headers of a part, its line and its
 * quotes.
 */
export const MULTIPART_WRITER: PlaceWriter = {
  write: (pieces, { field, budget }) => {
    const [first] = pieces;
    const delimiter = typeof first === "string" ? DELIMITER.exec(first)?.[1]?.trimEnd() : undefined;
    let text = "";
    let isInHeaders = false;
    for (const piece of pieces) {
      if (typeof piece === "string") {
        isInHeaders = isInHeadersAfter(isInHeaders, piece, delimiter);
        text += piece;
        continue;
      }
      const value = writeText(piece.value, budget);
      if (delimiter !== undefined && value.includes(delimiter)) {
        throw refusePiece(field, piece.source, "contains the boundary between the parts of the body");
      }
      if (isInHeaders && /[\r\n]/.test(value)) {
        throw refusePiece(field, piece.source, "must be one line, because it is in the headers of a part");
      }
      text += isInHeaders ? value.replaceAll('"', "%22") : value;
    }
    return text;
  },
};

/** The headers of a part reach from its delimiter to the first empty line. */
function isInHeadersAfter(before: boolean, text: string, delimiter: string | undefined): boolean {
  const start = delimiter === undefined ? -1 : text.lastIndexOf(delimiter);
  if (start < 0 && !before) return false;
  return !/\r?\n\r?\n/.test(text.slice(Math.max(start, 0)));
}

type XmlPlace = "text" | "tag" | "double" | "single" | "comment" | "cdata";

/** Writes an XML text. A value is text, or the text of an attribute, and ends neither CDATA nor a comment. */
export const XML_WRITER: PlaceWriter = {
  write: (pieces, { budget }) => {
    let xml = "";
    let tail = "";
    let place: XmlPlace = "text";
    for (const piece of pieces) {
      if (typeof piece === "string") {
        xml += piece;
        for (const character of piece) {
          tail = (tail + character).slice(-TAIL_CHARACTERS);
          place = xmlPlaceAfter(place, tail);
        }
        continue;
      }
      const text = writeText(piece.value, budget);
      const written = escapeXml(place, text, tail);
      spendCharacters(budget, Math.max(0, written.length - text.length));
      xml += written;
      tail = (tail + written.slice(-TAIL_CHARACTERS)).slice(-TAIL_CHARACTERS);
    }
    return xml;
  },
};

/** As long as `<![CDATA[`. */
const TAIL_CHARACTERS = 9;

/** @param xml the end of what is written */
function xmlPlaceAfter(place: XmlPlace, xml: string): XmlPlace {
  switch (place) {
    case "text":
      return xml.endsWith("<") ? "tag" : "text";
    case "tag":
      if (xml.endsWith("<!--")) return "comment";
      if (xml.endsWith("<![CDATA[")) return "cdata";
      if (xml.endsWith('"')) return "double";
      if (xml.endsWith("'")) return "single";
      return xml.endsWith(">") ? "text" : "tag";
    case "double":
      return xml.endsWith('"') ? "tag" : "double";
    case "single":
      return xml.endsWith("'") ? "tag" : "single";
    case "comment":
      return xml.endsWith("-->") ? "text" : "comment";
    case "cdata":
      return xml.endsWith("]]>") ? "text" : "cdata";
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escapeXml(place: XmlPlace, text: string, before: string): string {
  switch (place) {
    case "cdata": {
      // The end of CDATA, also one that starts before the value, is split between two of them.
      const start = /\]{0,2}$/.exec(before)?.[0] ?? "";
      return (start + text).replaceAll("]]>", "]]]]><![CDATA[>").slice(start.length);
    }
    case "comment":
      return text.replace(/-(?=-)/g, "- ").replaceAll(">", "&gt;");
    case "text":
      return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
    default:
      return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
  }
}
