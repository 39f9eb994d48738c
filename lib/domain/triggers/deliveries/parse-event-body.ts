import { ApiError } from "#lib/contract/api-error";
import { LIMITS } from "#lib/contract/limits";
import { exceedsJsonDepth } from "#lib/support/json";

/** The body stands in the run's input below `output.body`, which must not be too deep either. */
const BODY_DEPTH = LIMITS.jsonDepth - 2;

/**
 * The body of a delivery, as a run may get it.
 * @param parse the raw bytes as a value that can be stored; null for none
 * @throws ApiError BAD_REQUEST
 */
export function parseEventBody(raw: Buffer, parse: (body: Buffer) => unknown): unknown {
  const body = parse(raw);
  if (!exceedsJsonDepth(body, BODY_DEPTH)) return body;
  throw new ApiError("BAD_REQUEST", `The body is nested deeper than ${BODY_DEPTH} levels.`);
}
