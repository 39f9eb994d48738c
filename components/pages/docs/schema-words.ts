import type { JsonObject } from "#lib/contract/wire/json-schema";
import { formatCount } from "#lib/support/format/format-number";

/** One part of what a value may be: words, and the name of the object they lead to. */
export interface TypePart {
  words: string;
  object?: string;
}

/** What a JSON Schema says about the type of a value, in words: "array of Run", "string (uuid) or null". */
export function typeParts(schema: JsonObject): TypePart[] {
  const { $ref: ref, anyOf, type, items, format } = schema;
  if (typeof ref === "string") {
    const name = ref.split("/").at(-1) ?? "";
    return [{ words: name, object: name }];
  }
  if (Array.isArray(anyOf)) return joined(anyOf.map((branch) => typeParts(branch as JsonObject)));
  if (Array.isArray(type)) return [{ words: type.join(" or ") }];
  if (type === "array") return [{ words: "array of " }, ...typeParts((items as JsonObject | undefined) ?? {})];
  if (schema.const !== undefined) return [{ words: JSON.stringify(schema.const) }];
  return [{ words: type === undefined ? "anything" : `${String(type)}${format === undefined ? "" : ` (${format})`}` }];
}

function joined(branches: TypePart[][]): TypePart[] {
  return branches.flatMap((branch, index) => (index === 0 ? branch : [{ words: " or " }, ...branch]));
}

/** The values it is limited to, where it is, also inside a list. */
export function allowedValues(schema: JsonObject): unknown[] | null {
  if (Array.isArray(schema.enum)) return schema.enum;
  const items = schema.items as JsonObject | undefined;
  return Array.isArray(items?.enum) ? items.enum : null;
}

/** Bounds worth reading: "1 to 100", "at most 2,000 characters". */
export function boundsWords({ minimum, maximum, maxLength, pattern }: JsonObject): string | null {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  if (maximum !== undefined) return `at most ${maximum}`;
  if (typeof maxLength === "number") return `at most ${formatCount(maxLength, "character")}`;
  return pattern === undefined ? null : `as ${pattern}`;
}
