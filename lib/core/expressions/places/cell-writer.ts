import { type Piece, refusePiece } from "#lib/core/expressions/places/piece";
import type { PlaceWriter, WritingContext } from "#lib/core/expressions/places/place-writer";
import { spendCharacters, type TemplateBudget, writeText } from "#lib/core/expressions/template-budget";
import { losesDigits } from "#lib/support/exact-json";
import { isJsonObject, setOwn } from "#lib/support/json";

const SIGNS = "=+\\-＝＋－";
const STARTS_FORMULA = new RegExp(`^[\\s\\p{Cc}]*[${SIGNS}]`, "u");
/** A number, with or without a currency or a percent sign: a cell may still hold it as a number. */
const SIGNED_NUMBER = /^\s*[+-]\s?[$€£¥₽]?\d[\d.,\s]*(?:[eE][+-]?\d+)?[%$€£¥₽]?\s*$/;
const REFERENCE = /^\s*[+-]?[\p{L}\p{N}_.$:%]*\s*$/u;

/**
 * Writes cells that a spreadsheet reads as if a person had typed them. A value never starts a formula: an apostrophe before
 * it says that it is text. In a formula that the author starts, a value is a text between quotes, or a number or a cell.
 */
export const CELL_WRITER: PlaceWriter = {
  write: (pieces, context) => {
    const [first] = pieces;
    if (typeof first === "string" && /^\s*=/.test(first)) return writeFormula(pieces, context);
    const text = pieces.map((piece) => textOf(piece, context.budget)).join("");
    const lead = pieces.find((piece) => textOf(piece, context.budget).trim() !== "");
    return typeof lead === "string" ? text : asText(text, context.budget);
  },
  writeValue: ({ value }, { budget }) => mapTexts(value, (text) => asText(text, budget)),
};

function textOf(piece: Piece, budget: TemplateBudget): string {
  return typeof piece === "string" ? piece : writeText(piece.value, budget);
}

/**
 * Marks a text that the spreadsheet would take for a formula, whose first apostrophe it would drop, or that it would round: a
 * cell holds a double.
 */
function asText(text: string, budget: TemplateBudget): string {
  if (text.startsWith("'") || isFormula(text) || isLongNumber(text)) {
    spendCharacters(budget, 1);
    return `'${text}`;
  }
  return text;
}

function isFormula(text: string): boolean {
  if (!STARTS_FORMULA.test(text)) return false;
  // A sign alone, such as a dash, calculates nothing.
  return !SIGNED_NUMBER.test(text) && /[\p{L}\p{N}("'{]/u.test(text);
}

function isLongNumber(text: string): boolean {
  return /^\s*-?\d{16,400}\s*$/.test(text) && losesDigits(text.trim());
}

function writeFormula(pieces: readonly Piece[], { field, budget }: WritingContext): string {
  let text = "";
  let quote = "";
  for (const piece of pieces) {
    if (typeof piece === "string") {
      text += piece;
      // A quote in a string is two quotes, which end the string and start it again.
      for (const character of piece) {
        if (quote === "" && (character === '"' || character === "'")) quote = character;
        else if (character === quote) quote = "";
      }
      continue;
    }
    const value = writeText(piece.value, budget);
    if (quote === "" && (!REFERENCE.test(value) || isLongNumber(value))) {
      throw refusePiece(field, piece.source, "must be a number or a cell. Put a text between quotes");
    }
    text += quote === "" ? value : value.replaceAll(quote, quote + quote);
  }
  return text;
}

function mapTexts(value: unknown, write: (text: string) => string): unknown {
  if (typeof value === "string") return write(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, write));
  if (!isJsonObject(value)) return value;
  const copy = {};
  for (const [name, item] of Object.entries(value)) setOwn(copy, name, mapTexts(item, write));
  return copy;
}
