import type { ExpressionNode } from "#lib/core/expressions/expression";
import { findFunction } from "#lib/core/expressions/functions/expression-functions";
import type { WrittenPlace } from "#lib/core/expressions/places/written-place";

/**
 * Returns true if the author wrote the result of an expression for the place: with a function that encodes for it, or with
 * `raw`. A constant next to `??` is the author's own text.
 */
export function isWrittenFor(node: ExpressionNode, place: WrittenPlace): boolean {
  if (node.kind === "fallback") return areWrittenFor(node.operands, place);
  if (node.kind !== "call" || node.path.length > 0) return false;
  if (node.name === "default") return areWrittenFor(node.args, place);
  return findFunction(node.name)?.writesFor?.includes(place) === true;
}

function areWrittenFor(nodes: readonly ExpressionNode[], place: WrittenPlace): boolean {
  const others = nodes.filter(({ kind }) => kind !== "literal");
  return others.length > 0 && others.every((node) => isWrittenFor(node, place));
}
