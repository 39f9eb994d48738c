import { type Piece, refusePiece } from "#lib/core/expressions/places/piece";
import type { PlaceWriter, WritingContext } from "#lib/core/expressions/places/place-writer";
import { writeText } from "#lib/core/expressions/template-budget";

const CELL_PART = /^\s*\$?[A-Za-z]{0,3}\$?\d*\s*$/;
const CELLS = /^\s*\$?[A-Za-z]{0,3}\$?\d*(?::\$?[A-Za-z]{0,3}\$?\d*)?\s*$/;
const PLAIN_NAME = /^[\p{L}\p{N}_ .-]*$/u;

/**
 * Writes a range of a spreadsheet in A1 notation, such as `'Ada''s list'!A1:B{{row}}`. A value is the name of a sheet, or
 * a part of it, before the `!` of the author, and a row, a column, or the cells after it.
 */
export const RANGE_WRITER: PlaceWriter = {
  write: (pieces, context) => {
    const split = splitAtSheet(pieces);
    if (split === null) return pieces.map((piece) => writeCell(piece, PLAIN_NAME, context)).join("");
    const [sheet, cells] = split;
    const isWhole = cells.every((piece) => typeof piece !== "string" || piece === "");
    return `${writeSheet(sheet, context)}!${cells.map((piece) => writeCell(piece, isWhole ? CELLS : CELL_PART, context)).join("")}`;
  },
};

/** Splits at the last `!` of the author that is not between quotes. */
function splitAtSheet(pieces: readonly Piece[]): [Piece[], Piece[]] | null {
  let isQuoted = false;
  let found: [Piece[], Piece[]] | null = null;
  for (const [at, piece] of pieces.entries()) {
    if (typeof piece !== "string") continue;
    for (let index = 0; index < piece.length; index += 1) {
      if (piece[index] === "'") isQuoted = !isQuoted;
      else if (piece[index] === "!" && !isQuoted) {
        found = [
          [...pieces.slice(0, at), piece.slice(0, index)],
          [piece.slice(index + 1), ...pieces.slice(at + 1)],
        ];
      }
    }
  }
  return found;
}

function writeSheet(pieces: readonly Piece[], { budget }: WritingContext): string {
  const isQuoted = pieces.some((piece) => typeof piece === "string" && piece.includes("'"));
  const parts = pieces.map((piece) => (typeof piece === "string" ? piece : writeText(piece.value, budget)));
  if (isQuoted) {
    return parts.map((text, at) => (typeof pieces[at] === "string" ? text : text.replaceAll("'", "''"))).join("");
  }
  const isPlain = parts.every((text, at) => typeof pieces[at] === "string" || PLAIN_NAME.test(text));
  return isPlain ? parts.join("") : `'${parts.join("").replaceAll("'", "''")}'`;
}

function writeCell(piece: Piece, allowed: RegExp, { field, budget }: WritingContext): string {
  if (typeof piece === "string") return piece;
  const text = writeText(piece.value, budget);
  if (allowed.test(text)) return text;
  throw refusePiece(field, piece.source, "must be a row, a column, or cells. Use raw(…) if the value is a whole range");
}
