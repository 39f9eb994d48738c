import type { FieldError } from "#lib/contract/error/api-error";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { compileJsonSchema, validateJson } from "#lib/core/input/validate-json";

/**
 * Returns what of a value does not match a schema from outside. A schema that cannot be used finds nothing: its own server
 * checks the value in any case. Both are untrusted, so this runs in a process of its own.
 */
export function findMismatches(schema: JsonObject, value: unknown): FieldError[] {
  return whyUnusable(schema) === null ? validateJson(schema, value) : [];
}

/** Returns why a schema cannot be used; null if it can. */
export function whyUnusable(schema: JsonObject): string | null {
  try {
    compileJsonSchema(schema);
    return null;
  } catch (error) {
    if (error instanceof StepError) return error.message;
    throw error;
  }
}
