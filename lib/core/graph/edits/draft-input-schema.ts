import type { Definition } from "#lib/contract/graph";
import type { InputSchema } from "#lib/contract/json-schema";
import { deriveType } from "#lib/core/graph/derive-type";
import { deriveInputSchema } from "#lib/core/steps/derive-schemas";

/** What a run of an unpublished definition takes; null where a trigger gives the input, which nobody declared. */
export function draftInputSchema(definition: Definition): InputSchema | null {
  return deriveType(definition) === "callable" ? deriveInputSchema(definition) : null;
}
