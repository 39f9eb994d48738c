import type { WrittenPlace } from "#lib/contract/field-places";
import type { ExpressionNode } from "#lib/core/expressions/expression";
import { findFunction } from "#lib/core/expressions/functions/expression-functions";

/** `encoded` for a value that a function has encoded for the place, `raw` for one that its author takes as it is. */
export type Written = "encoded" | "raw";

/**
 * Returns how the author wrote the result of an expression for the place: with a function that encodes for it, or with
 * `raw`. A constant next to `??` is the author's own text. Null if the place decides.
 */
export function findWritten(node: ExpressionNode, place: WrittenPlace): Written | null {
  if (node.kind === "fallback") return joinWritten(node.operands, place);
  if (node.kind !== "call" || node.path.length > 0) return null;
  if (node.name === "default") return joinWritten(node.args, place);
  if (findFunction(node.name)?.writesFor?.includes(place) !== true) return null;
  return node.name === "raw" ? "raw" : "encoded";
}

function joinWritten(nodes: readonly ExpressionNode[], place: WrittenPlace): Written | null {
  const each = nodes.filter(({ kind }) => kind !== "literal").map((node) => findWritten(node, place));
  if (each.length === 0 || each.includes(null)) return null;
  return each.includes("raw") ? "raw" : "encoded";
}
