import type { Expression, ExpressionNode, Reference } from "#lib/core/expressions/expression";
import { takeExpression } from "#lib/core/expressions/parse-expression";
import type { Cursor } from "#lib/core/expressions/text-cursor";

/** A `{{` that does not start an expression. Publishing refuses it; a draft keeps it as literal text. */
export interface TemplateError {
  message: string;
  source: string;
  /** The place of its braces in the text. */
  start: number;
}

export interface Template {
  /** Literal texts and expressions in order, without empty texts or two texts in a row. */
  parts: readonly (string | Expression)[];
  errors: readonly TemplateError[];
}

const MAX_ERRORS = 20;
const SOURCE_LENGTH = 60;

/** Returns the part of a broken expression to show to people: up to its braces, or its first characters. */
function excerpt(text: string, from: number): string {
  const shown = text.slice(from, from + SOURCE_LENGTH);
  const close = shown.indexOf("}}");
  if (close !== -1) return shown.slice(0, close + 2);
  return from + SOURCE_LENGTH < text.length ? `${shown}…` : shown;
}

/** Counts the backslashes right before the braces. */
function countBackslashes(text: string, from: number, open: number): number {
  let at = open;
  while (at > from && text[at - 1] === "\\") at -= 1;
  return open - at;
}

/**
 * Splits a text into literals and expressions in double braces, where `\{{` are literal braces (decisions, The graph
 * document), and `\\{{a}}` is a backslash and a. Braces that do not start an expression stay in the text and are listed in `errors`. Of three or more opening
 * braces in a row, the last two count, so `{{{a}}}` is `{`, a, `}`. The time is linear: scanning continues where a broken
 * expression stopped, never before it, and each pattern is sticky.
 */
export function scanTemplate(text: string): Template {
  const parts: (string | Expression)[] = [];
  const errors: TemplateError[] = [];
  const cursor: Cursor = { text, at: 0 };
  let literal = "";
  let kept = 0;
  for (let open = text.indexOf("{{"); open !== -1; open = text.indexOf("{{", cursor.at)) {
    // As in JSON, each pair of backslashes before the braces is one backslash, and one that is left over escapes them.
    const backslashes = countBackslashes(text, kept, open);
    if (backslashes > 0) {
      literal += text.slice(kept, open - Math.ceil(backslashes / 2));
      kept = open;
    }
    if (backslashes % 2 === 1) {
      literal += "{{";
      kept = cursor.at = open + 2;
      continue;
    }
    cursor.at = open + 2;
    if (text[cursor.at] === "{") {
      cursor.at = open + 1;
      continue;
    }
    const root = takeExpression(cursor, open);
    if (root.kind === "problem") {
      if (errors.length < MAX_ERRORS) errors.push({ message: root.message, source: excerpt(text, open), start: open });
      continue;
    }
    literal += text.slice(kept, open);
    if (literal !== "") parts.push(literal);
    literal = "";
    kept = cursor.at;
    parts.push({ root, references: listReferences(root), source: text.slice(open, kept), start: open });
  }
  literal += text.slice(kept);
  if (literal !== "") parts.push(literal);
  return { parts, errors };
}

/** The function that replaces null by a value. As with `??`, its first argument may be null. */
const REPLACES_NULL = "default";

/** Lists every path that a parsed expression reads, in order, and marks those whose missing value has a fallback. */
function listReferences(node: ExpressionNode, hasFallback = false): Reference[] {
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
