import type { InputSchema } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { deriveType } from "#lib/core/graph/derive-type";
import { deriveInputSchema } from "#lib/core/steps/derive-schemas";

/**
 * Returns the input schema of an unpublished definition; null if a trigger provides the input, which has no declared
 * schema.
 */
export function draftInputSchema(definition: Definition): InputSchema | null {
  return deriveType(definition) === "callable" ? deriveInputSchema(definition) : null;
}
