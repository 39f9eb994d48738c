/** A part of a page that needs no further escaping. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | null | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Builds HTML from a template. Every value is text, unless it is HTML from this function: it opens no tag and ends no
 * quoted attribute. A list is its parts, and null is nothing.
 */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: texts.map((text, index) => text + write(parts[index] ?? null)).join("") };
}

function write(part: Part): string {
  if (part === null) return "";
  if (typeof part === "string" || typeof part === "number") {
    return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
  }
  return "html" in part ? part.html : part.map(write).join("");
}
