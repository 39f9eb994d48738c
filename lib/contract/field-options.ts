import type { z } from "zod";
import type { JsonObject } from "#lib/contract/json-schema";
import type { fieldOptionsPageSchema } from "#lib/contract/schemas/connector-schema";

export type FieldOptionsPage = z.output<typeof fieldOptionsPageSchema>;
/** One value that a field can have, as a service offers it. */
export type FieldOption = FieldOptionsPage["options"][number];

/** Where the choices of a field come from. */
export interface OptionSource {
  /** The connector's name for what lists them. */
  from: string;
  /** Other fields that they depend on, by name. */
  depends_on: string[];
  /** Those of them without which nothing can be listed. */
  requires: string[];
}

/** Where a field's JSON Schema says so. */
const KEYWORD = "x-options";

/** For `meta` of a field of an operation or a trigger: its choices are those that the connector's loader `from` lists. */
export function optionsFrom(
  from: string,
  { dependsOn = [], requires = [] }: { dependsOn?: string[]; requires?: string[] } = {},
): Record<typeof KEYWORD, OptionSource> {
  return { [KEYWORD]: { from, depends_on: [...requires, ...dependsOn], requires } };
}

/** What a field's schema says of its choices; null where it has none to load. */
export function readOptionSource(property: unknown): OptionSource | null {
  if (typeof property !== "object" || property === null) return null;
  const { [KEYWORD]: own, anyOf } = property as JsonObject;
  if (isOptionSource(own)) return own;
  // Of a field that may be null, the schema of its value.
  return Array.isArray(anyOf) ? (anyOf.map(readOptionSource).find((source) => source !== null) ?? null) : null;
}

/** Anybody's document may hold the keyword. */
function isOptionSource(value: unknown): value is OptionSource {
  if (typeof value !== "object" || value === null) return false;
  const { from, depends_on: dependsOn, requires } = value as Partial<Record<keyof OptionSource, unknown>>;
  return typeof from === "string" && Array.isArray(dependsOn) && Array.isArray(requires);
}
