import type { JsonObject } from "#lib/contract/wire/json-schema";
import { allowedValues, boundsWords, typeParts } from "@/components/pages/docs/schema-words";

/** Returns a Markdown table. Cells may contain Markdown. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

export const code = (text: string): string => (text === "" ? "" : `\`${text}\``);
export const codes = (texts: readonly string[]): string => texts.map(code).join(", ");

/** Returns a table of an object schema's properties: name, type, and meaning. */
export function fieldTable({ properties = {}, required = [] }: JsonObject, isInput: boolean): string {
  const names = required as string[];
  const rows = Object.entries(properties as Record<string, JsonObject>).map(([name, schema]) => [
    code(name),
    typeWords(schema) + (isInput && names.includes(name) ? ", required" : ""),
    meaningOf(schema),
  ]);
  return markdownTable(["field", "type", "meaning"], rows);
}

export function typeWords(schema: JsonObject): string {
  return typeParts(schema)
    .map(({ words, object }) => (object === undefined ? words : `[${words}](#${object.toLowerCase()})`))
    .join("");
}

export function meaningOf(schema: JsonObject, description = schema.description): string {
  const values = allowedValues(schema);
  const bounds = boundsWords(schema);
  const byDefault = schema.default === undefined ? "" : `Default: ${code(JSON.stringify(schema.default))}.`;
  return [
    String(description ?? ""),
    values === null ? "" : `One of ${codes(values.map((value) => String(value)))}.`,
    byDefault,
    bounds === null ? "" : bounds.startsWith("as ") ? `Pattern: ${code(bounds.slice(3))}.` : `Bounds: ${bounds}.`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}
