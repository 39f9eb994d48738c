import type { z } from "zod";
import type { fieldOptionsPageSchema } from "#lib/contract/connector/connector-schema";
import type { JsonObject } from "#lib/contract/wire/json-schema";

export type FieldOptionsPage = z.output<typeof fieldOptionsPageSchema>;
/** One possible value of a field, as the service lists it. */
export type FieldOption = FieldOptionsPage["options"][number];

/** The source of a field's options. */
export interface OptionSource {
  /** The connector's name for the loader that lists the options. */
  from: string;
  /** The names of other fields that the options depend on. */
  depends_on: string[];
  /** The fields among them that must be set before anything can be listed. */
  requires: string[];
}

/** The keyword for option sources in a field's JSON Schema. */
const KEYWORD = "x-options";

/** Creates the `meta` of a field of an operation or a trigger whose options come from the connector's loader `from`. */
export function optionsFrom(
  from: string,
  { dependsOn = [], requires = [] }: { dependsOn?: string[]; requires?: string[] } = {},
): Record<typeof KEYWORD, OptionSource> {
  return { [KEYWORD]: { from, depends_on: [...requires, ...dependsOn], requires } };
}

/** Reads the option source from a field's schema; null if it has no options to load. */
export function readOptionSource(property: unknown): OptionSource | null {
  if (typeof property !== "object" || property === null) return null;
  const { [KEYWORD]: own, anyOf } = property as JsonObject;
  if (isOptionSource(own)) return own;
  // If the field can be null, its value has a schema of its own.
  return Array.isArray(anyOf) ? (anyOf.map(readOptionSource).find((source) => source !== null) ?? null) : null;
}

/** Checks the type, because a document from anywhere may contain the keyword. */
function isOptionSource(value: unknown): value is OptionSource {
  if (typeof value !== "object" || value === null) return false;
  const { from, depends_on: dependsOn, requires } = value as Partial<Record<keyof OptionSource, unknown>>;
  return typeof from === "string" && Array.isArray(dependsOn) && Array.isArray(requires);
}
