import { z } from "zod";
import { PROPERTY_TYPES, type PropertyType } from "#lib/contract/json-schema";

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

/** Marks every item whose name an earlier item has. */
export function uniqueNames(items: readonly { name: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { name }] of items.entries()) {
    if (seen.has(name)) {
      context.addIssue({ code: "custom", path: [index, "name"], message: `must be unique; "${name}" is used twice` });
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

/** What each property of an action's input or output has. */
export const namedProperty = {
  name: propertyName,
  type: z.enum(PROPERTY_TYPES),
  description: z.string().max(1_000, "must be at most 1000 characters long").optional(),
};
