import { parseTemplate } from "#lib/core/expressions/parse-template";

/** A well-formed expression with its braces, and its place in the text. */
export interface FoundExpression {
  from: number;
  to: number;
  source: string;
  /** True for a path alone, which is shown as a chip; false for functions and `??`. */
  isReference: boolean;
  /** The places of the paths that it reads. */
  paths: readonly { from: number; to: number }[];
}

/** Braces that don't start an expression, and why. */
interface InvalidExpression {
  from: number;
  to: number;
  message: string;
}

/** Finds the expressions of a text, in order. */
export function findExpressions(text: string): FoundExpression[] {
  return parseTemplate(text).parts.flatMap((part): FoundExpression[] => {
    if (typeof part === "string") return [];
    const { start: from, source, root, references } = part;
    const paths = references.map(({ start, end }) => ({ from: from + start, to: from + end }));
    return [{ from, to: from + source.length, source, isReference: root.kind === "reference", paths }];
  });
}

export function findInvalid(text: string): InvalidExpression[] {
  return parseTemplate(text).errors.map(({ message, source, start }) => {
    const line = text.indexOf("\n", start);
    const to = Math.min(start + source.length, line === -1 ? text.length : line);
    return { from: start, to, message };
  });
}

/** Returns the expression that contains a position between its braces, or null. */
export function expressionAround(text: string, position: number): FoundExpression | null {
  return findExpressions(text).find(({ from, to }) => from < position && position < to) ?? null;
}
