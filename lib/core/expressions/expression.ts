/** A path into the output of a step: `order.lines[0]["unit price"]`. */
export interface Reference {
  kind: "reference";
  name: string;
  path: readonly (string | number)[];
  /** The place of its text within the source of the expression. */
  start: number;
  end: number;
  /** True if the author expects null here: the expression then uses another value. */
  hasFallback: boolean;
}

export interface Literal {
  kind: "literal";
  value: string | number | boolean | null;
}

/** A call of a function. The path, if any, reads from its result: `first(orders).id`. */
export interface FunctionCall {
  kind: "call";
  name: string;
  args: readonly ExpressionNode[];
  path: readonly (string | number)[];
}

/** `a ?? b ?? c`: the first operand that is not null. */
export interface Fallback {
  kind: "fallback";
  operands: readonly ExpressionNode[];
}

export type ExpressionNode = Reference | Literal | FunctionCall | Fallback;

/** One `{{...}}` of a template. */
export interface Expression {
  root: ExpressionNode;
  /** Every path that it reads, in order. */
  references: readonly Reference[];
  /** The source text of the expression, including its braces, and its place in the template. */
  source: string;
  start: number;
}
