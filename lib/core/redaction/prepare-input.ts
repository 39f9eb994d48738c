import type { JsonObject } from "#lib/contract/json-schema";
import { sanitize } from "#lib/core/redaction/sanitize";
import { keepsKeyOrder, storableJson } from "#lib/support/storable-json";

/** The input of a new run as JSON texts: a large one is written without being parsed again. */
export interface PreparedInput {
  /** Sanitized, as jsonb accepts it. */
  shown: string;
  /** Whether jsonb keeps the order of its keys. */
  keepsKeyOrder: boolean;
  /** The caller's own values, to be sealed; null if sanitizing changed nothing. */
  original: string | null;
}

/** Separates what the run shows from what must be sealed. */
export function prepareInput(input: JsonObject, clean = sanitize(input)): PreparedInput {
  return {
    shown: storableJson(clean),
    keepsKeyOrder: keepsKeyOrder(clean),
    original: clean === input ? null : JSON.stringify(input),
  };
}
