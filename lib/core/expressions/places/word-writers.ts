import { refusePiece } from "#lib/core/expressions/places/piece";
import type { PlaceWriter } from "#lib/core/expressions/places/place-writer";
import { writeText } from "#lib/core/expressions/template-budget";

/** Writes a word of a search in which `*` is any text and has no escape. Only the author writes one. */
export const TOKEN_WRITER = wordWriter("*", "contains *, which finds any text here. Use raw(…) if you mean it");

/** Writes one of the names that a request joins with commas. */
export const NAME_WRITER = wordWriter(",", "contains a comma, which separates names. Use a list for several");

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
