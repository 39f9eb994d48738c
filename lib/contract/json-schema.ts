import type { z } from "zod";
import type { inputSchemaSchema, outputSchemaSchema, propertySchema } from "#lib/contract/schemas/input-schema";

/** The JSON types that a property of an action can have (decisions, Actions). */
export const PROPERTY_TYPES = ["string", "number", "integer", "boolean", "object", "array"] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** The derived schema of one property. Keys that were not given are absent. */
export type PropertySchema = z.output<typeof propertySchema>;

/** contract, Workflows and versions: the input schema of an action. */
export type InputSchema = z.output<typeof inputSchemaSchema>;

/** contract, Workflows and versions: the output schema of an action. */
export type OutputSchema = z.output<typeof outputSchemaSchema>;

export type JsonObject = Record<string, unknown>;
