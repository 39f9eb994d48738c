import type { PlaceWriter } from "#lib/core/expressions/places/place-writer";
import { spendCharacters, type TemplateBudget, writeText } from "#lib/core/expressions/template-budget";

type GraphqlPlace = "text" | "string" | "block" | "comment";

/** A number, a constant, or the name of an enum's value (GraphQL, 2.9). */
const LITERAL = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_]\w*)$/;

/** Writes a GraphQL document. Between quotes, a value is a part of the string; elsewhere it is one value. */
export const GRAPHQL_WRITER: PlaceWriter = {
  write: (pieces, { budget }) => {
    let document = "";
    let place: GraphqlPlace = "text";
    let tail = "";
    for (const piece of pieces) {
      if (typeof piece !== "string") {
        const text = writeGraphql(place, piece.value, tail, budget);
        document += text;
        if (text !== "") tail = "";
        continue;
      }
      document += piece;
      for (const character of piece) [place, tail] = placeAfter(place, (tail + character).slice(-TAIL_CHARACTERS));
    }
    return document;
  },
};

/** As long as an escaped end of a block. */
const TAIL_CHARACTERS = 4;

/** Returns the place after the last character, and what can still be the start of a mark. */
function placeAfter(place: GraphqlPlace, tail: string): [GraphqlPlace, string] {
  switch (place) {
    case "text":
      if (tail.endsWith('"')) return ["string", '"'];
      return tail.endsWith("#") ? ["comment", ""] : ["text", ""];
    case "string":
      // Two quotes are an empty string, and a third one makes them the start of a block.
      if (tail === '""') return ["string", tail];
      if (tail === '"""') return ["block", ""];
      if (tail.startsWith('""')) return placeAfter("text", tail.slice(2));
      if (tail.endsWith("\\\\")) return ["string", "x"];
      if (tail.endsWith('"') && !tail.endsWith('\\"')) return ["text", ""];
      return ["string", `x${tail.endsWith("\\") ? "\\" : ""}`];
    case "block":
      return tail.endsWith('"""') && !tail.endsWith('\\"""') ? ["text", ""] : ["block", tail];
    case "comment":
      return /[\r\n]$/.test(tail) ? ["text", ""] : ["comment", ""];
  }
}

function writeGraphql(place: GraphqlPlace, value: unknown, tail: string, budget: TemplateBudget): string {
  const text = writeText(value, budget);
  // After an empty string, the text has already continued.
  const written = tail === '""' ? literalOf(value, text) : escapeGraphql(place, value, text, tail);
  spendCharacters(budget, Math.max(0, written.length - text.length));
  return written;
}

function escapeGraphql(place: GraphqlPlace, value: unknown, text: string, tail: string): string {
  switch (place) {
    case "text":
      return literalOf(value, text);
    case "string":
      return tail.endsWith("\\") ? quoted(text).replace(/^\\/, "") : quoted(text);
    case "block": {
      const start = tail.endsWith('"') && text.startsWith('"') ? "\n" : "";
      // A line break at the end of a block is no part of its value (GraphQL, 2.9.4).
      return start + text.replaceAll('"""', '\\"""') + (/["\\]$/.test(text) ? "\n" : "");
    }
    case "comment":
      return text.replace(/[\r\n]+/g, " ");
  }
}

function literalOf(value: unknown, text: string): string {
  if (value === null || value === undefined) return "null";
  return typeof value !== "string" || text === "" || LITERAL.test(text) ? text : `"${quoted(text)}"`;
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
