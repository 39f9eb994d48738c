import { z } from "zod";
import { PROPERTY_TYPES } from "#lib/contract/json-schema";
import { named } from "#lib/contract/schemas/wire-names";

export const propertySchema = named(
  "PropertySchema",
  z
    .object({
      type: z.enum(PROPERTY_TYPES),
      description: z.string().optional(),
      enum: z.array(z.unknown()).optional(),
      default: z.unknown().optional(),
      items: z.object({ type: z.enum(PROPERTY_TYPES) }).optional(),
    })
    .describe("The schema of one property. Keys that were not given are absent."),
);

export const inputSchemaSchema = named(
  "InputSchema",
  z
    .object({
      type: z.literal("object"),
      properties: z.record(z.string(), propertySchema),
      required: z.array(z.string()),
    })
    .describe("The JSON Schema of an action's input, fixed when its workflow was published."),
);

export const outputSchemaSchema = named(
  "OutputSchema",
  z
    .object({ type: z.literal("object"), properties: z.record(z.string(), propertySchema) })
    .describe("The JSON Schema of an action's output."),
);
