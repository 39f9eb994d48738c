import type { JsonObject } from "#lib/contract/wire/json-schema";

const MAX_CHARACTERS = 120;

/**
 * Returns the start of an input as one line: `amount: 12, note: "Late"`. It reads no more than it shows, because an input
 * can have a megabyte. Secrets are already hidden in it.
 */
export function previewInput(input: JsonObject): string {
  let text = "";
  for (const name in input) {
    if (text.length >= MAX_CHARACTERS) break;
    text += `${text === "" ? "" : ", "}${name.slice(0, MAX_CHARACTERS)}: ${previewValue(input[name])}`;
  }
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

function previewValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, MAX_CHARACTERS));
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${value.length}]`;
  return typeof value === "object" && value !== null ? "{…}" : String(value);
}
