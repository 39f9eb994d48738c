import type { Reference } from "#lib/core/expressions/expression";
import { parseTemplate } from "#lib/core/expressions/parse-template";

/** Lists every path that a template reads, in order. A template is a text or any JSON that contains texts. */
export function templateReferences(value: unknown): Reference[] {
  if (typeof value === "string") {
    if (!value.includes("{{")) return [];
    return parseTemplate(value).parts.flatMap((part) => (typeof part === "string" ? [] : part.references));
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(templateReferences);
}
