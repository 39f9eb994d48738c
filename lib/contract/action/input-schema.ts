import { z } from "zod";
import { PROPERTY_TYPES, type PropertySchema } from "#lib/contract/wire/json-schema";
import { named } from "#lib/contract/wire/wire-values";

const count = z.int().nonnegative().optional();

export const propertySchema: z.ZodType<PropertySchema> = named(
  "PropertySchema",
  z
    .object({
      type: z.enum(PROPERTY_TYPES),
      description: z.string().optional(),
      enum: z.array(z.unknown()).optional(),
      default: z.unknown().optional(),
      minLength: count,
      maxLength: count,
      pattern: z.string().optional().describe("In RE2 syntax. It matches anywhere in the text, unless it has anchors."),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
      minItems: count,
      maxItems: count,
      items: z.lazy(() => propertySchema).optional(),
      properties: z.lazy(() => z.record(z.string(), propertySchema)).optional(),
      required: z.array(z.string()).optional().describe("The required properties of an object."),
      deprecated: z.literal(true).optional().describe("Present for the old name of a renamed field."),
    })
    .describe("The schema of one property. Keys that were not given are absent."),
);

const namesSchema = z.object({ required: z.array(z.string()) });

export const inputSchemaSchema = named(
  "InputSchema",
  z
    .object({
      type: z.literal("object"),
      properties: z.record(z.string(), propertySchema),
      required: z.array(z.string()),
      allOf: z
        .array(z.object({ oneOf: z.array(namesSchema).optional(), not: namesSchema.optional() }))
        .optional()
        .describe(
          "The old names of renamed fields. Absent if there are none. oneOf: the caller sends a required field under " +
            "exactly one of its names; the current name comes first. not: the caller sends an optional field under at " +
            "most one of its names.",
        ),
    })
    .describe("The JSON Schema of an action's input, fixed when its workflow was published."),
);

export const outputSchemaSchema = named(
  "OutputSchema",
  z
    .object({
      type: z.literal("object"),
      properties: z.record(z.string(), propertySchema),
      required: z
        .array(z.string())
        .optional()
        .describe("The properties that are never null when a run has succeeded. Absent if there are none."),
    })
    .describe("The JSON Schema of an action's output."),
);
