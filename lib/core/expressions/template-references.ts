import { parseTemplate } from "#lib/core/expressions/parse-template";

/** What one expression of a template asks for. */
export interface TemplateReference {
  name: string;
  path: (string | number)[];
}

/** Every expression of a template, which is a text or any JSON that holds texts, in the order they stand. */
export function templateReferences(value: unknown): TemplateReference[] {
  if (typeof value === "string") {
    if (!value.includes("{{")) return [];
    return parseTemplate(value).parts.flatMap((part) =>
      typeof part === "string" ? [] : [{ name: part.name, path: part.path }],
    );
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(templateReferences);
}
