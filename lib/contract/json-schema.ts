import type { z } from "zod";
import type { inputSchemaSchema, outputSchemaSchema, propertySchema } from "#lib/contract/schemas/input-schema";

/** The JSON types a property of an action can have (decisions, Actions). */
export const PROPERTY_TYPES = ["string", "number", "integer", "boolean", "object", "array"] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** The schema of one property, as derived: keys that were not given do not appear. */
export type PropertySchema = z.output<typeof propertySchema>;

/** contract, Workflows and versions: the input schema of an action. */
export type InputSchema = z.output<typeof inputSchemaSchema>;

/** contract, Workflows and versions: the output schema of an action. */
export type OutputSchema = z.output<typeof outputSchemaSchema>;

export type JsonObject = Record<string, unknown>;
