import type { PropertySchema } from "#lib/contract/wire/json-schema";
import { setOwn } from "#lib/support/json";

/**
 * Returns a value that fits a schema: its default, the first of its allowed values, or the plainest value of its type
 * within its bounds. A text is only as long as required, and does not try to match a pattern.
 */
export function exampleValue(schema: PropertySchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum && schema.enum.length > 0) return schema.enum[0];
  switch (schema.type) {
    case "string":
      return exampleText(schema);
    case "number":
      return within(1.5, schema);
    case "integer":
      return Math.ceil(within(1, schema));
    case "boolean":
      return true;
    case "array":
      return exampleList(schema);
    case "object":
      return exampleObject(schema.properties ?? {}, Object.keys(schema.properties ?? {}));
  }
}

/** Returns an object with the given fields of a schema. */
export function exampleObject(properties: Record<string, PropertySchema>, names: readonly string[]) {
  const example: Record<string, unknown> = {};
  for (const name of names) {
    const property = properties[name];
    if (property) setOwn(example, name, exampleValue(property));
  }
  return example;
}

function exampleText({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: PropertySchema): string {
  return "text".padEnd(minLength, "x").slice(0, maxLength);
}

function exampleList({ items, minItems = 1, maxItems = Number.POSITIVE_INFINITY }: PropertySchema): unknown[] {
  if (!items) return Array.from({ length: minItems === 1 ? 0 : minItems }, () => "text");
  return Array.from({ length: Math.min(Math.max(minItems, 1), maxItems) }, () => exampleValue(items));
}

function within(value: number, { minimum, maximum }: PropertySchema): number {
  return Math.min(Math.max(value, minimum ?? value), maximum ?? Number.POSITIVE_INFINITY);
}
