import { z } from "zod";
import type { PropertyType } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import { fitsType, namedProperty, uniqueNames } from "#lib/core/input/property-data";

const inputProperty = z
  .object({
    ...namedProperty,
    required: z.boolean().default(false),
    enum: z
      .array(z.unknown())
      .min(1, "must contain at least one value")
      .max(200, "must contain at most 200 values")
      .optional(),
    default: z.unknown().optional(),
    items: z.object({ type: namedProperty.type }).optional(),
  })
  .superRefine((property, context) => {
    const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
    const misfit = describeMisfit(property.type, property.items?.type);
    for (const [index, value] of (property.enum ?? []).entries()) {
      if (misfit(value)) refuse(["enum", index], misfit(value) ?? "");
    }
    const texts = (property.enum ?? []).map((value) => JSON.stringify(value));
    if (new Set(texts).size < texts.length) refuse(["enum"], "must not contain the same value twice");
    if (property.items && property.type !== "array") refuse(["items"], "is only allowed for the type array");
    if (property.default === undefined) return;
    const problem = misfit(property.default);
    if (problem) refuse(["default"], problem);
    else if (property.enum && !texts.includes(JSON.stringify(property.default))) {
      refuse(["default"], "must be one of the values in enum");
    }
  });
export type InputProperty = z.output<typeof inputProperty>;

/** Describes why a value does not fit the type of a property; null if it fits. */
function describeMisfit(type: PropertyType, itemType: PropertyType | undefined): (value: unknown) => string | null {
  return (value) => {
    if (!fitsType(type, value)) return `must be of type ${type}`;
    if (itemType && Array.isArray(value) && !value.every((item) => fitsType(itemType, item))) {
      return `must contain only items of type ${itemType}`;
    }
    return null;
  };
}

/** decisions, The graph document: the properties of an action's input. */
export const inputPropertiesSchema = z
  .array(inputProperty)
  .max(LIMITS.inputProperties, `must contain at most ${LIMITS.inputProperties} properties`)
  .superRefine(uniqueNames);
