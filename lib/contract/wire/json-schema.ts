import type { z } from "zod";
import type { inputSchemaSchema, outputSchemaSchema } from "#lib/contract/action/input-schema";

/** The JSON types that a property of an action can have (decisions, Actions). */
export const PROPERTY_TYPES = ["string", "number", "integer", "boolean", "object", "array"] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** What a value can declare about its size, in the keywords of JSON Schema. */
export interface ValueBounds {
  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: string | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
}

/** The derived schema of one property, or of a value inside it. Keys that were not given are absent. */
export interface PropertySchema extends ValueBounds {
  type: PropertyType;
  description?: string | undefined;
  enum?: unknown[] | undefined;
  default?: unknown;
  items?: PropertySchema | undefined;
  properties?: Record<string, PropertySchema> | undefined;
  /** The required properties of an object. */
  required?: string[] | undefined;
  deprecated?: true | undefined;
}

/** contract, Workflows and versions: the input schema of an action. */
export type InputSchema = z.output<typeof inputSchemaSchema>;

/** contract, Workflows and versions: the output schema of an action. */
export type OutputSchema = z.output<typeof outputSchemaSchema>;

export type JsonObject = Record<string, unknown>;
