import { escapeQuoted, isMailAddress, readMailbox, writeName } from "#lib/core/expressions/places/mailbox";
import { type Piece, type PlacedValue, refusePiece } from "#lib/core/expressions/places/piece";
import type { PlaceWriter, WritingContext } from "#lib/core/expressions/places/place-writer";
import { writeText } from "#lib/core/expressions/template-budget";
import { isJsonObject } from "#lib/support/json";

/** A part of an address with its place in it. */
interface Part {
  piece: Piece;
  at: "plain" | "quoted" | "angle" | "comment";
}

/** Characters that are nothing but a part of an address. */
const ADDRESS_PART = /^[^\s<>()[\],;:\\"\p{Cc}]*$/u;
const ONE = "must be one email address. Use a list for several";

/**
 * Writes a list of email addresses (RFC 5322, 3.4). Only a comma or a semicolon of the author separates addresses: a value is
 * one address, a part of one, or a name, and a list is several.
 */
export const ADDRESS_WRITER: PlaceWriter = {
  write: (pieces, context) =>
    entriesOf(pieces)
      .map((entry) => writeEntry(entry, context))
      .join(""),
  writeValue: ({ value, source }, context) => {
    if (Array.isArray(value)) return value.map((item) => writeItem(item, source, context));
    return isJsonObject(value) ? writeItem(value, source, context) : value;
  },
};

/** Splits the text after each separator of the author. */
function entriesOf(pieces: readonly Piece[]): Part[][] {
  const entries: Part[][] = [];
  let entry: Part[] = [];
  let at: Part["at"] = "plain";
  for (const piece of pieces) {
    if (typeof piece !== "string") {
      entry.push({ piece, at });
      continue;
    }
    let text = "";
    let isEscaped = false;
    for (const character of piece) {
      text += character;
      if (isEscaped) {
        isEscaped = false;
      } else if (character === "\\" && at !== "plain") {
        isEscaped = true;
      } else if (at === "plain" && (character === "," || character === ";")) {
        entries.push([...entry, { piece: text, at }]);
        entry = [];
        text = "";
      } else {
        at = placeAfter(at, character);
      }
    }
    if (text !== "") entry.push({ piece: text, at });
  }
  return [...entries, entry];
}

function placeAfter(at: Part["at"], character: string): Part["at"] {
  if (at === "quoted") return character === '"' ? "plain" : at;
  if (at === "angle") return character === ">" ? "plain" : at;
  if (at === "comment") return character === ")" ? "plain" : at;
  if (character === '"') return "quoted";
  if (character === "<") return "angle";
  return character === "(" ? "comment" : "plain";
}

function writeEntry(entry: readonly Part[], context: WritingContext): string {
  const own = entry.map(({ piece }) => (typeof piece === "string" ? piece : "")).join("");
  const values = entry.filter(({ piece }) => typeof piece !== "string");
  if (values.length === 0) return own;
  if (/^\s*[,;]?$/.test(own)) return writeWhole(entry, context);
  return entry
    .map(({ piece, at }) => (typeof piece === "string" ? piece : writePart({ piece, at, own }, context)))
    .join("");
}

/** @param own what the author wrote of the address */
function writePart(
  { piece, at, own }: { piece: PlacedValue; at: Part["at"]; own: string },
  { field, budget }: WritingContext,
): string {
  const text = writeText(piece.value, budget);
  if (at === "quoted") return escapeQuoted(text);
  if (at === "comment") return text.replace(/[\p{Cc}()\\]+/gu, " ");
  if (at === "plain" && own.includes("<")) return writeName(text);
  const part = text.trim();
  const isPart = ADDRESS_PART.test(part) && !(own.includes("@") && part.includes("@"));
  if (isPart) return part;
  throw refusePiece(field, piece.source, "must be a part of one email address");
}

/** Writes an address that is nothing but values: one of them, as after branches, or all of them together. */
function writeWhole(entry: readonly Part[], context: WritingContext): string {
  const values = entry.flatMap(({ piece }) => (typeof piece === "string" ? [] : [piece]));
  const text = entry.map(({ piece }) => (typeof piece === "string" ? piece : textOf(piece, context))).join("");
  if (values.some(({ value }) => typeof value === "object" && value !== null)) return text;
  const last = entry.at(-1)?.piece;
  const separator = typeof last === "string" ? (/[,;]$/.exec(last)?.[0] ?? "") : "";
  const whole = text.slice(0, text.length - separator.length);
  if (whole.trim() === "") return text;
  const first = entry[0]?.piece;
  const space = typeof first === "string" ? (/^\s*/.exec(first)?.[0] ?? "") : "";
  const mailbox = readMailbox(whole);
  if (mailbox !== null) return space + mailbox + separator;
  const given = values.find(({ value }) => value !== null && value !== undefined && value !== "");
  throw refusePiece(context.field, given?.source ?? "", ONE);
}

function textOf({ value, source }: PlacedValue, context: WritingContext): string {
  if (Array.isArray(value)) return value.map((item) => writeItem(item, source, context)).join(", ");
  return isJsonObject(value) ? String(writeItem(value, source, context)) : writeText(value, context.budget);
}

/** Writes an item of a list: an address, or a name with an address, as an email has them. */
function writeItem(item: unknown, source: string, { field, budget }: WritingContext): unknown {
  if (isJsonObject(item) && typeof item.address === "string" && isMailAddress(item.address.trim())) {
    const name = typeof item.name === "string" ? item.name.trim() : "";
    return name === "" ? item.address.trim() : `${writeName(name)} <${item.address.trim()}>`;
  }
  if (typeof item === "string" && item.trim() === "") return item;
  const mailbox = typeof item === "string" ? readMailbox(writeText(item, budget)) : null;
  if (mailbox !== null) return mailbox;
  throw refusePiece(field, source, "has an item that is not one email address");
}
