import { z } from "zod";
import { PROPERTY_TYPES } from "#lib/contract/wire/json-schema";

/**
 * The name of a property, in any script and with any characters: `{{action_input["order id"]}}` reads names that dot
 * notation cannot. `__proto__` is refused because no plain object can hold it safely.
 */
export const propertyName = z
  .string()
  .min(1, "is required")
  .max(64, "must be at most 64 characters long")
  .refine(
    (name) => name.trim() === name && !/\p{Cc}/u.test(name),
    "must not start or end with a space or contain control characters",
  )
  .refine((name) => name !== "__proto__", 'must not be "__proto__"');

/** Reports every item that has the same name as an earlier item. */
export function uniqueNames(items: readonly { name: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { name }] of items.entries()) {
    if (seen.has(name)) {
      context.addIssue({ code: "custom", path: [index, "name"], message: `must be unique; "${name}" is used twice` });
    }
    seen.add(name);
  }
}

/** The fields that every property of an action's input or output has. */
export const namedProperty = {
  name: propertyName,
  type: z.enum(PROPERTY_TYPES),
  description: z.string().max(1_000, "must be at most 1000 characters long").optional(),
};
