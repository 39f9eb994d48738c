import type { Expression, Reference } from "#lib/core/expressions/expression";
import { scanTemplate } from "#lib/core/expressions/scan-template";

/** Returns the new text of a path. `written` is its text so far. */
type WritePath = (reference: Reference, written: string) => string;

/** Replaces the paths in an expression; everything else stays as it is written. */
export function rewriteExpression({ source, references }: Expression, write: WritePath): string {
  let text = "";
  let kept = 0;
  for (const reference of references) {
    text += source.slice(kept, reference.start);
    text += write(reference, source.slice(reference.start, reference.end));
    kept = reference.end;
  }
  return text + source.slice(kept);
}

/**
 * Replaces the paths in all expressions of a text.
 * @param writeRest returns the new text of what is between the expressions
 */
export function rewritePaths(text: string, write: WritePath, writeRest = (rest: string) => rest): string {
  let rewritten = "";
  let kept = 0;
  for (const part of scanTemplate(text).parts) {
    if (typeof part === "string") continue;
    rewritten += writeRest(text.slice(kept, part.start)) + rewriteExpression(part, write);
    kept = part.start + part.source.length;
  }
  return rewritten + writeRest(text.slice(kept));
}
