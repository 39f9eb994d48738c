import type { ExpressionNode, Reference } from "#lib/core/expressions/expression";

/** The function that replaces null by a value. As with `??`, its first argument may be null. */
const REPLACES_NULL = "default";

/** Lists every path that a parsed expression reads, in order, and marks those whose missing value has a fallback. */
export function listReferences(node: ExpressionNode, hasFallback = false): Reference[] {
  switch (node.kind) {
    case "reference":
      node.hasFallback = hasFallback;
      return [node];
    case "fallback":
      return node.operands.flatMap((operand, at) =>
        listReferences(operand, hasFallback || at < node.operands.length - 1),
      );
    case "call":
      return node.args.flatMap((arg, at) =>
        listReferences(arg, hasFallback || (at === 0 && node.name === REPLACES_NULL)),
      );
    case "literal":
      return [];
  }
}
