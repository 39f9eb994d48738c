import { scanTemplate } from "#lib/support/scan-template";

/** A stretch of a text: literal, or an expression with its braces. `start` is its offset in the text. */
export interface TemplatePart {
  kind: "text" | "expression";
  text: string;
  start: number;
  /** The node an expression names, and the path into its output; empty for literal text. */
  name: string;
  path: readonly (string | number)[];
}

/** The text cut into literal stretches and expressions, with their places, for drawing chips over an input. */
export function templateParts(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let cursor = 0;
  const pushLiteral = (end: number) => {
    if (end > cursor) parts.push({ kind: "text", text: text.slice(cursor, end), start: cursor, name: "", path: [] });
  };
  for (const part of scanTemplate(text).parts) {
    if (typeof part === "string") continue;
    const start = findExpression(text, part.source, cursor);
    pushLiteral(start);
    parts.push({ kind: "expression", text: part.source, start, name: part.name, path: part.path });
    cursor = start + part.source.length;
  }
  pushLiteral(text.length);
  return parts;
}

/** Where the expression is; the same braces behind a backslash are literal text before it. */
function findExpression(text: string, source: string, from: number): number {
  let start = text.indexOf(source, from);
  while (start > from && text[start - 1] === "\\") start = text.indexOf(source, start + 1);
  return start;
}

/** The expression being typed at the caret: an opened `{{` that nothing has closed yet. Null outside of one. */
export function openExpressionAt(text: string, caret: number): { start: number; typed: string } | null {
  const before = text.slice(0, caret);
  const start = before.lastIndexOf("{{");
  if (start < 0 || before[start - 1] === "\\") return null;
  const typed = before.slice(start + 2);
  return /[{}\n]/.test(typed) ? null : { start, typed: typed.trimStart() };
}

/** An expression as its chip shows it: without braces, and callers' fields by their name alone. */
export function chipLabel(source: string): string {
  const inner = source.replace(/^\{\{\s*|\s*\}\}$/g, "");
  return inner.replace(/^action_input\./, "") || "?";
}
