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
      .min(1, "must hold at least one value")
      .max(200, "must hold at most 200 values")
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
    if (new Set(texts).size < texts.length) refuse(["enum"], "must not hold the same value twice");
    if (property.items && property.type !== "array") refuse(["items"], "belongs to the type array only");
    if (property.default === undefined) return;
    const problem = misfit(property.default);
    if (problem) refuse(["default"], problem);
    else if (property.enum && !texts.includes(JSON.stringify(property.default))) {
      refuse(["default"], "must be one of the values of enum");
    }
  });
export type InputProperty = z.output<typeof inputProperty>;

/** Says how a value misses the type of a property; null when it fits. */
function describeMisfit(type: PropertyType, itemType: PropertyType | undefined): (value: unknown) => string | null {
  return (value) => {
    if (!fitsType(type, value)) return `must be of the type ${type}`;
    if (itemType && Array.isArray(value) && !value.every((item) => fitsType(itemType, item))) {
      return `must hold only items of the type ${itemType}`;
    }
    return null;
  };
}

/** decisions, The graph document: the properties of an action's input. */
export const inputPropertiesSchema = z
  .array(inputProperty)
  .max(LIMITS.inputProperties, `must hold at most ${LIMITS.inputProperties} properties`)
  .superRefine(uniqueNames);
