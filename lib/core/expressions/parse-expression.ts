import { LIMITS } from "#lib/contract/limits";
import type { ExpressionNode, Literal } from "#lib/core/expressions/expression";
import { takePath } from "#lib/core/expressions/parse-path";
import { type Cursor, skipSpace, take, takeText } from "#lib/core/expressions/text-cursor";
import { formatCount } from "#lib/support/format/format-number";

const NAME = /[A-Za-z_][A-Za-z0-9_]{0,63}(?![A-Za-z0-9_])/y;
const NUMBER = /-?\d{1,15}(?:\.\d{1,15})?(?![\w.])/y;
/** A text ends on its own, so that an open quote costs only its first characters. */
const TEXT = /"((?:[^"\\]|\\.){0,1000})"|'((?:[^'\\]|\\.){0,1000})'/sy;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
const WORDS: ReadonlyMap<string, Literal["value"]> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Other engines write `$json.email` and `$node["Step"]`. */
const NO_DOLLAR = "the id of a step comes without $, as in {{action_input.email}} or {{step_id.field}}";

const NO_BLOCKS =
  "expressions have no blocks, partials or comments; choose the text with a Condition step, or build it in a Code step";
/** What other languages write at the start of an expression. */
const STARTS: readonly [RegExp, string][] = [
  [/\$/y, NO_DOLLAR],
  [/[#/^>]|!(?=[-\s])|!$/y, NO_BLOCKS],
  [/!/y, "an expression can't use !; compare in a Condition step, or in a Transform step with JSONata"],
  [/[.~&=@]/y, "the id of a step comes first, as in {{action_input.email}} or {{step_id.field}}"],
];

/** Says what is wrong with the sign at the cursor, where an expression or an operand should start; null if it is no such sign. */
function describeStart(cursor: Cursor): string | null {
  const { at } = cursor;
  for (const [pattern, message] of STARTS) {
    const found = take(cursor, pattern);
    cursor.at = at;
    if (found) return message;
  }
  return null;
}

type Parsed = ExpressionNode | { kind: "problem"; message: string };

interface Parser extends Cursor {
  /** The position of the expression in the text. */
  start: number;
  /** What the expression can still contain. */
  nodes: number;
}

/**
 * Reads the expression after `{{`, with its closing braces. The cursor ends after them, or at the error.
 *
 *     expression = operand ("??" operand)*
 *     operand    = text | number | "true" | "false" | "null" | call path | name path
 *     call       = name "(" (expression ("," expression)*)? ")"
 *     path       = ("." field | "[" index "]" | "[" key "]")*
 *
 * The time is linear: the parser goes back only over a text in quotes, which cannot contain another one that opens an
 * expression.
 * @param start the position of the `{{`
 */
export function takeExpression(cursor: Cursor, start: number): Parsed {
  const parser: Parser = Object.assign(cursor, { start, nodes: LIMITS.expressionNodes });
  const root = takeFallback(parser, "the id of a step must follow {{", LIMITS.expressionDepth);
  if (root.kind === "problem") return root;
  if (root.kind === "literal") {
    skipSpace(parser);
    const operator = describeOperator(parser, start);
    // What is in the quotes can be an expression of its own, as in {{"{{a}}".
    cursor.at = start + 2;
    return problem(operator ?? "a value alone needs no braces");
  }
  if (takeText(parser, "}}")) return root;
  const what = root.kind === "reference" ? "the path" : "the expression";
  return problem(describeOperator(parser, start) ?? `}} must follow ${what}`);
}

function problem(message: string): { kind: "problem"; message: string } {
  return { kind: "problem", message };
}

function takeFallback(parser: Parser, expected: string, depth: number): Parsed {
  const first = takeOperand(parser, expected, depth);
  if (first.kind === "problem" || !takeText(parser, "??")) return first;
  const operands = [asOperand(first)];
  do {
    const next = takeOperand(parser, "a value must follow ??", depth);
    if (next.kind === "problem") return next;
    operands.push(asOperand(next));
  } while (takeText(parser, "??"));
  return { kind: "fallback", operands };
}

/** `{{true}}` alone reads the step "true". Next to `??` and as an argument, the word is the value. */
function asOperand(node: ExpressionNode): ExpressionNode {
  if (node.kind !== "reference" || node.path.length > 0) return node;
  const value = WORDS.get(node.name);
  return value === undefined ? node : { kind: "literal", value };
}

function takeOperand(parser: Parser, expected: string, depth: number): Parsed {
  parser.nodes -= 1;
  if (parser.nodes < 0) {
    return problem(`an expression has at most ${formatCount(LIMITS.expressionNodes, "value")} and functions`);
  }
  skipSpace(parser);
  const literal = takeLiteral(parser);
  if (literal !== null) return literal;
  const start = parser.at - parser.start;
  const name = take(parser, NAME)?.[0];
  if (name === undefined) return problem(describeStart(parser) ?? expected);
  const end = parser.at;
  if (takeText(parser, "(")) return takeCall(parser, name, depth);
  parser.at = end;
  const path = takePath(parser);
  if (typeof path === "string") return problem(path);
  return { kind: "reference", name, path: path.keys, start, end: path.end - parser.start, hasFallback: false };
}

function takeLiteral(parser: Parser): Literal | null {
  const number = take(parser, NUMBER);
  if (number) return { kind: "literal", value: Number(number[0]) };
  const text = take(parser, TEXT);
  if (!text) return null;
  const written = text[1] ?? text[2] ?? "";
  return { kind: "literal", value: written.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter) };
}

/** Reads the arguments of a call after its opening parenthesis, and the path after the closing one. */
function takeCall(parser: Parser, name: string, depth: number): Parsed {
  if (depth === 0) return problem(`functions are nested at most ${LIMITS.expressionDepth} deep`);
  const args: ExpressionNode[] = [];
  if (!takeText(parser, ")")) {
    do {
      const arg = takeFallback(parser, "an argument is missing", depth - 1);
      if (arg.kind === "problem") return arg;
      args.push(asOperand(arg));
    } while (takeText(parser, ","));
    if (!takeText(parser, ")")) {
      return problem(describeOperator(parser, parser.start) ?? `) must follow the arguments of ${name}`);
    }
  }
  const path = takePath(parser);
  return typeof path === "string" ? problem(path) : { kind: "call", name, args, path: path.keys };
}

/** What people write from other languages at a place where an expression can only end, and where it is possible here. */
const OPERATORS: readonly { pattern: RegExp; describe: (sign: string, name: string | undefined) => string }[] = [
  {
    pattern: /[-+*/%^]/y,
    describe: (sign) => `can't calculate with ${sign}; calculate in a Transform step with JSONata, or in a Code step`,
  },
  {
    pattern: /[<>]=?|[=!]={1,2}|&&?|\|\||\?(?!\?)|(?:and|or|not|in)\b/y,
    describe: (sign) => `can't use ${sign}; compare in a Condition step, or in a Transform step with JSONata`,
  },
  {
    pattern: /\|\s*([A-Za-z_]\w{0,63})?/y,
    describe: (_, name = "upper") => `can't pass a value on with |; call a function with the value: ${name}(value)`,
  },
  {
    pattern: /\(/y,
    describe: () => "can't call a field; call a function with the value in parentheses: upper(value)",
  },
];

/**
 * Says what is wrong with an operator at the cursor, and where it is possible; null if there is none. The cursor stays
 * where it is, so that scanning continues before the operator.
 * @param start the position of the `{{`
 */
function describeOperator(cursor: Cursor, start: number): string | null {
  const { at } = cursor;
  for (const { pattern, describe } of OPERATORS) {
    const found = take(cursor, pattern);
    cursor.at = at;
    if (found) return `an expression ${describe(found[0].trimEnd(), found[1])} (character ${at - start + 1})`;
  }
  return null;
}
