import { expressionAround } from "@/components/canvas/expressions/editor/find-expressions";
import { openExpressionAt } from "@/components/canvas/expressions/template-parts";

/** A position in a text where values can be completed. */
export interface CompletionPlace {
  /** The part that a choice replaces: the whole path or name around the caret. */
  from: number;
  to: number;
  /** The part of it before the caret. */
  typed: string;
  /** The expression around it with its braces, as far as it is written; null outside of one. */
  expression: { from: number; to: number; isClosed: boolean } | null;
  /** True if the expression contains nothing but the part. */
  isAlone: boolean;
  /** True after a value, where only `??` can follow. */
  isAfterValue: boolean;
}

/** A quoted text, a path with its brackets, `??`, or one other character. */
const TOKEN =
  /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[\p{L}\p{N}\p{M}_$-]+(?:\.[\p{L}\p{N}\p{M}_$-]*|\[(?:"[^"]*"?|'[^']*'?|\d*)\]?)*|\?\??|\s+|./gsu;
const PATH = /^[\p{L}_$]/u;

/**
 * Finds what can be completed at a position: inside of an expression, or in one that isn't closed yet. Null inside of a
 * quoted text or a number, and outside of expressions unless the user asks.
 */
export function completionPlaceAt(text: string, position: number, isAsked: boolean): CompletionPlace | null {
  const expression = expressionAt(text, position);
  if (expression === null) {
    if (!isAsked) return null;
    return { from: position, to: position, typed: "", expression: null, isAlone: true, isAfterValue: false };
  }
  const start = expression.from + 2;
  const end = expression.isClosed ? expression.to - 2 : expression.to;
  if (position < start || position > end) return null;
  const inner = text.slice(start, end);
  const tokens = [...inner.matchAll(TOKEN)].map(({ index, 0: word }) => ({ from: start + index, word }));
  const token = tokens.find(({ from, word }) => from < position && position <= from + word.length);
  const isWord = token !== undefined && (PATH.test(token.word) || token.word.startsWith("?"));
  if (token !== undefined && !isWord && /^["'\d]/.test(token.word)) return null;
  const place = isWord ? token : { from: position, word: "" };
  const before = tokens.findLast(({ from, word }) => from < place.from && word.trim() !== "")?.word ?? "";
  return {
    from: place.from,
    to: place.from + place.word.length,
    typed: text.slice(place.from, position),
    expression,
    isAlone: inner.trim() === place.word,
    isAfterValue: before !== "" && !/^(?:\?\??|[(,])$/.test(before),
  };
}

function expressionAt(text: string, position: number): CompletionPlace["expression"] {
  const around = expressionAround(text, position);
  if (around !== null) return { from: around.from, to: around.to, isClosed: true };
  const open = openExpressionAt(text, position);
  if (open === null) return null;
  // What follows on the line up to its braces belongs to the expression, if it is written as one.
  const rest = /^[^{}\n]*?\}\}/.exec(text.slice(position))?.[0];
  if (rest !== undefined) return { from: open.start, to: position + rest.length, isClosed: true };
  const word = /^[\p{L}\p{N}\p{M}_$.-]*/u.exec(text.slice(position))?.[0] ?? "";
  return { from: open.start, to: position + word.length, isClosed: false };
}
