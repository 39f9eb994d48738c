import type { Definition } from "#lib/contract/graph";
import type { InputSchema } from "#lib/contract/json-schema";
import { deriveInputSchema } from "#lib/graph/derive-schemas";
import { deriveType } from "#lib/graph/derive-type";

/** What a run of an unpublished definition takes; null where a trigger gives the input, which nobody declared. */
export function draftInputSchema(definition: Definition): InputSchema | null {
  return deriveType(definition) === "callable" ? deriveInputSchema(definition) : null;
}
