import { scanTemplate } from "#lib/core/expressions/scan-template";

/** A segment of a text: literal, or an expression including its braces. `start` is its offset in the text. */
export interface TemplatePart {
  kind: "text" | "expression";
  text: string;
  start: number;
}

/** Splits a text into literal segments and expressions with their offsets, for drawing chips over an input. */
export function templateParts(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let cursor = 0;
  const pushLiteral = (end: number) => {
    if (end > cursor) parts.push({ kind: "text", text: text.slice(cursor, end), start: cursor });
  };
  for (const part of scanTemplate(text).parts) {
    if (typeof part === "string") continue;
    pushLiteral(part.start);
    parts.push({ kind: "expression", text: part.source, start: part.start });
    cursor = part.start + part.source.length;
  }
  pushLiteral(text.length);
  return parts;
}

/**
 * Returns the expression that is being typed at the caret: an open `{{` without a closing `}}`. Null outside of one.
 */
export function openExpressionAt(text: string, caret: number): { start: number; typed: string } | null {
  const before = text.slice(0, caret);
  const start = before.lastIndexOf("{{");
  if (start < 0 || isEscaped(before.slice(0, start))) return null;
  const typed = before.slice(start + 2);
  return /[{}\n]/.test(typed) ? null : { start, typed: typed.trimStart() };
}

/** An odd number of backslashes makes the braces after them literal. */
function isEscaped(before: string): boolean {
  return (before.length - before.replace(/\\+$/, "").length) % 2 === 1;
}

/** Returns an expression's chip label: without braces, and for callers' fields only the field name. */
export function chipLabel(source: string): string {
  const inner = source.replace(/^\{\{\s*|\s*\}\}$/g, "");
  return inner.replace(/^action_input\./, "") || "?";
}
