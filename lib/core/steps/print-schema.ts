import { isJsonObject } from "#lib/support/json";

/**
 * Prints a JSON Schema as a short type: `{a: string, b?: "x" | "y", c: {d: any}[]}`. It shows the shape of a value and
 * omits null, lengths, patterns and bounds.
 */
export function printSchema(schema: unknown): string {
  if (!isJsonObject(schema)) return "any";
  const { anyOf, oneOf, allOf, properties, items, type } = schema;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return branches.filter(isNoNull).map(printSchema).join(" | ");
  if (Array.isArray(allOf)) return allOf.map(printSchema).filter(isTelling).join(" & ");
  if (isJsonObject(properties)) return printProperties(properties, schema.required);
  if (type === "array") return `${bracketed(printSchema(items))}[]`;
  const types = [type].flat().filter((name) => typeof name === "string" && name !== "null");
  return types.length === 0 ? "any" : types.join(" | ");
}

function printProperties(properties: Record<string, unknown>, required: unknown): string {
  const names = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties).map(([name, property]) => {
    const isRequired = names.includes(name) && !(isJsonObject(property) && "default" in property);
    return `${name}${isRequired ? "" : "?"}: ${printSchema(property)}`;
  });
  return `{${fields.join(", ")}}`;
}

function isNoNull(schema: unknown): boolean {
  return !isJsonObject(schema) || schema.type !== "null";
}

/** An object without properties adds nothing to the other parts of an `allOf`. */
function isTelling(text: string): boolean {
  return text !== "{}";
}

function bracketed(text: string): string {
  return text.includes(" | ") && !text.startsWith("{") ? `(${text})` : text;
}
