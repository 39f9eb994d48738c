import type { PlaceWriter } from "#lib/core/expressions/places/place-writer";
import { writeText } from "#lib/core/expressions/template-budget";

/** Keeps `=?` from starting an encoded word (RFC 2047, 2). It has no width. */
const WORD_JOINER = "\u2060";

/** Writes the text of an email header. A value is a part of its line, and shown as it is. */
export const HEADER_WRITER: PlaceWriter = {
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
