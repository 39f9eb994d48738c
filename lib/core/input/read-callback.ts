import { ApiError, type FieldError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { assertStorable } from "#lib/core/input/assert-storable";
import { parseJson } from "#lib/core/input/parse-json";
import { validateJson } from "#lib/core/input/validate-json";
import { exceedsJsonDepth } from "#lib/support/json";

/** The body is nested in the output of its step. */
const BODY_DEPTH = LIMITS.jsonDepth - 2;

/** A request to the address of a step, with the JSON Schema of its body. */
export interface ReceivedCallback {
  body: Uint8Array;
  schema: JsonObject | null;
}

/** The body, parsed, and how it differs from the schema. */
export interface CallbackReading {
  body: unknown;
  problems: FieldError[];
}

/**
 * Reads the body of a callback. An empty body is null (decisions, Callbacks).
 * @throws ApiError BAD_REQUEST, or PAYLOAD_TOO_LARGE if it contains too many values
 */
export function readCallback({ body: bytes, schema }: ReceivedCallback): CallbackReading {
  const body = bytes.byteLength === 0 ? null : parseJson(bytes);
  assertStorable(body);
  if (exceedsJsonDepth(body, BODY_DEPTH)) {
    throw new ApiError("BAD_REQUEST", `The body is nested deeper than ${BODY_DEPTH} levels.`);
  }
  return { body, problems: schema === null ? [] : problemsOf(schema, body) };
}

function problemsOf(schema: JsonObject, body: unknown): FieldError[] {
  try {
    return validateJson(schema, body);
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    throw new ApiError(
      "BAD_REQUEST",
      `The body could not be checked against the schema of the step: ${error.message}.`,
    );
  }
}
