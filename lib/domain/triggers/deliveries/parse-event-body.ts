import { ApiError } from "#lib/contract/api-error";
import { LIMITS } from "#lib/contract/limits";
import { exceedsJsonDepth } from "#lib/support/json";

/** The body is nested in the run's input below `output.body`, and the whole must not be too deep. */
const BODY_DEPTH = LIMITS.jsonDepth - 2;

/**
 * Parses the body of a delivery for a run.
 * @param parse converts the raw bytes to a value that can be stored, or null if there is none
 * @throws ApiError BAD_REQUEST
 */
export function parseEventBody(raw: Buffer, parse: (body: Buffer) => unknown): unknown {
  const body = parse(raw);
  if (!exceedsJsonDepth(body, BODY_DEPTH)) return body;
  throw new ApiError("BAD_REQUEST", `The body is nested deeper than ${BODY_DEPTH} levels.`);
}
