import type { WrittenPlace } from "#lib/contract/action/field-places";
import { evaluateExpression } from "#lib/core/expressions/evaluate-expression";
import type { ExpressionNode, FunctionCall } from "#lib/core/expressions/expression";
import { callFunction } from "#lib/core/expressions/functions/call-function";
import { findFunction } from "#lib/core/expressions/functions/expression-functions";
import type { Piece } from "#lib/core/expressions/places/piece";
import type { Template } from "#lib/core/expressions/scan-template";
import { spendCharacters, type TemplateBudget, writeText } from "#lib/core/expressions/template-budget";
import { toText } from "#lib/core/expressions/to-text";

/** Characters that Unicode keeps for programs: each marks a text of the author while a function works on the values. */
const MARKS = "\uFDD0\uFDD1\uFDD2\uFDD3\uFDD4\uFDD5\uFDD6\uFDD7\uFDD8\uFDD9\uFDDA\uFDDB\uFDDC\uFDDD\uFDDE\uFDDF";
const MARK = /[\uFDD0-\uFDDF]/;
const EACH_MARK = /([\uFDD0-\uFDDF])/;

/** What an expression is read with. */
export interface PieceReading {
  place: WrittenPlace;
  scope: Record<string, unknown>;
  budget: TemplateBudget;
}

/** What an expression gives. */
export interface Given {
  value: unknown;
  /** True if the author wrote it: a constant, or the result of `raw` or of a function that writes for the place. */
  isWritten: boolean;
  /** The author's texts within the value, by their marks. */
  texts: ReadonlyMap<string, string>;
  /** True if a function encoded it for URLs. */
  isEncoded?: boolean;
}

const NO_TEXTS: ReadonlyMap<string, string> = new Map();

/**
 * Lists the parts of a text: what the author wrote, and values. Constants in an expression are the author's own text, as in
 * `{{note ?? "<i>none</i>"}}`, `{{join(lines, "<br>")}}`, and `{{replace(note, "\n", "<br>")}}`.
 */
export function listPieces({ parts }: Template, reading: PieceReading): Piece[] {
  return parts.flatMap((part): Piece[] => {
    if (typeof part !== "string") return piecesOf(readExpression(part.root, reading), part.source, reading.budget);
    spendCharacters(reading.budget, part.length);
    return [part];
  });
}

/** Returns the parts of a value. */
export function piecesOf(
  { value, isWritten, texts, isEncoded }: Given,
  source: string,
  budget: TemplateBudget,
): Piece[] {
  if (isWritten) return [writeText(value, budget)];
  if (texts.size === 0 || typeof value !== "string")
    return [isEncoded ? { value, source, isEncoded } : { value, source }];
  return value
    .split(EACH_MARK)
    .filter((text) => text !== "")
    .map((text) => texts.get(text) ?? { value: text, source });
}

/** Returns the value of an expression, and which parts of it the author wrote. */
export function readExpression(node: ExpressionNode, reading: PieceReading): Given {
  const { scope, budget, place } = reading;
  if (node.kind === "literal") return { value: node.value, isWritten: true, texts: NO_TEXTS };
  if (node.kind === "fallback") return readFirst(node.operands, reading);
  if (node.kind === "call" && node.path.length === 0) {
    if (node.name === "default" && node.args.length === 2) return readFirst(node.args, reading);
    const { writesFor = [] } = findFunction(node.name) ?? {};
    if (writesFor.length === 0) return readCall(node, reading);
    const value = evaluateExpression(node, scope, budget);
    return { value, isWritten: writesFor.includes(place), texts: NO_TEXTS, isEncoded: writesFor.includes("url") };
  }
  return { value: evaluateExpression(node, scope, budget), isWritten: false, texts: NO_TEXTS };
}

function readFirst(operands: readonly ExpressionNode[], reading: PieceReading): Given {
  for (const operand of operands) {
    const given = readExpression(operand, reading);
    if (given.value !== null && given.value !== undefined) return given;
  }
  return { value: null, isWritten: false, texts: NO_TEXTS };
}

/** Calls a function. A constant that it puts into the text is marked meanwhile, so that it stays the author's text. */
function readCall(call: FunctionCall, reading: PieceReading): Given {
  const { scope, budget } = reading;
  const [first, ...rest] = call.args;
  const others = rest.map((arg) => evaluateExpression(arg, scope, budget));
  const inner = call.name === "replace" && first?.kind === "call" ? readExpression(first, reading) : null;
  const texts = new Map(inner !== null && isApart(others[0], inner.texts) ? inner.texts : NO_TEXTS);
  const isMarked = texts.size > 0;
  const value = isMarked ? inner?.value : first && evaluateExpression(first, scope, budget);
  const text = constantOf(call);
  const given = isMarked ? others : [value, ...others];
  if (text !== null && text !== "" && texts.size < MARKS.length && !given.some(hasMark)) {
    const mark = MARKS.charAt(texts.size);
    texts.set(mark, text);
    others[call.name === "replace" ? 1 : 0] = mark;
  }
  return { value: callFunction(call, [value, ...others], budget), isWritten: false, texts };
}

/** Returns the constant that becomes a part of a call's result, or null. Without a separator, `join` writes this one. */
function constantOf({ name, args }: FunctionCall): string | null {
  if (name === "join" && args.length === 1) return ", ";
  const arg = name === "join" ? args[1] : name === "replace" ? args[2] : undefined;
  return arg?.kind === "literal" && typeof arg.value === "string" ? arg.value : null;
}

/** Returns true if a value contains a character that would be taken for a mark. */
function hasMark(value: unknown): boolean {
  if (typeof value === "string") return MARK.test(value);
  return typeof value === "object" && value !== null && MARK.test(toText(value));
}

/** Returns true if a search can find nothing in the author's texts that are marked, so that they can stay marked. */
function isApart(searched: unknown, texts: ReadonlyMap<string, string>): boolean {
  if (texts.size === 0) return true;
  if (typeof searched !== "string") return false;
  const characters = new Set(searched);
  return [...texts.values()].every((text) => ![...text].some((character) => characters.has(character)));
}
