import type { ExpressionNode, FunctionCall, Reference } from "#lib/core/expressions/expression";
import { findFunction } from "#lib/core/expressions/functions/expression-functions";
import { readPath } from "#lib/core/shapes/read-path";
import { membersOf, NULL, type Shape, shapeOfValue, UNKNOWN, unionShape } from "#lib/core/shapes/shape";

type ReadShape = (reference: Reference) => Shape;

/** Returns the shape of the value that an expression produces, given the shapes of what its paths lead to. */
export function shapeOfExpression(node: ExpressionNode, read: ReadShape): Shape {
  switch (node.kind) {
    case "reference":
      return read(node);
    case "literal":
      return shapeOfValue(node.value);
    case "fallback":
      return shapeOfFallback(node.operands.map((operand) => shapeOfExpression(operand, read)));
    case "call":
      return shapeOfCall(node, read);
  }
}

/** Only the last operand can make the result null. */
function shapeOfFallback(operands: readonly Shape[]): Shape {
  const last = operands.at(-1) ?? NULL;
  const before = operands.slice(0, -1).flatMap(membersOf);
  return unionShape([...before.filter(({ kind }) => kind !== "null"), last]);
}

function shapeOfCall({ name, args, path }: FunctionCall, read: ReadShape): Shape {
  const called = findFunction(name);
  if (called === null) return UNKNOWN;
  const shapes = args.map((arg) => shapeOfExpression(arg, read));
  const result = readPath(called.result(shapes.map(withoutNull)), path);
  if (result.kind !== "found") return result.kind === "missing" ? NULL : UNKNOWN;
  const canBeNull = shapes.some((shape, at) => {
    const takesNull = called.parameters[at]?.takesNull === true;
    return !takesNull && membersOf(shape).some(({ kind }) => kind === "null");
  });
  return canBeNull || result.canBeAbsent ? unionShape([result.shape, NULL]) : result.shape;
}

/** What a function gets if it is called at all: null makes its result null. */
function withoutNull(shape: Shape): Shape {
  const members = membersOf(shape).filter(({ kind }) => kind !== "null");
  return members.length === 0 ? shape : unionShape(members);
}
