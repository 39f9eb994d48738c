import { parseTemplate } from "#lib/core/expressions/parse-template";

/** The name and path that one expression of a template reads. */
export interface TemplateReference {
  name: string;
  path: (string | number)[];
}

/** Lists every expression of a template, which is a text or any JSON that contains texts, in order. */
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
