import { z } from "zod";
import { PROPERTY_TYPES, type PropertyType } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";

/**
 * The name of a property. Any script and any characters: `{{action_input["order id"]}}` reaches what a dot does not.
 * `__proto__` is refused because no plain object can hold it safely.
 */
export const propertyName = z
  .string()
  .min(1, "is required")
  .max(64, "must be at most 64 characters long")
  .refine(
    (name) => name.trim() === name && !/\p{Cc}/u.test(name),
    "must not begin or end with a space, nor hold control characters",
  )
  .refine((name) => name !== "__proto__", 'must not be "__proto__"');

/** Marks every item whose name stands before it already. */
export function uniqueNames(items: readonly { name: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { name }] of items.entries()) {
    if (seen.has(name)) {
      context.addIssue({ code: "custom", path: [index, "name"], message: `must be unique; "${name}" stands twice` });
    }
    seen.add(name);
  }
}

/** True when the JSON value is of the JSON Schema type. */
export function fitsType(type: PropertyType, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

const type = z.enum(PROPERTY_TYPES);
const description = z.string().max(1_000, "must be at most 1000 characters long").optional();

const inputProperty = z
  .object({
    name: propertyName,
    type,
    required: z.boolean().default(false),
    description,
    enum: z
      .array(z.unknown())
      .min(1, "must hold at least one value")
      .max(200, "must hold at most 200 values")
      .optional(),
    default: z.unknown().optional(),
    items: z.object({ type }).optional(),
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

const outputProperty = z.object({ name: propertyName, type, description, value: z.unknown() });
export type OutputProperty = z.output<typeof outputProperty>;

/** decisions, The graph document: the properties of an action's output; each value is a template. */
export const outputPropertiesSchema = z
  .array(outputProperty)
  .max(200, "must hold at most 200 properties")
  .superRefine(uniqueNames);
