import { ApiError } from "#lib/contract/api-error";
import { LIMITS } from "#lib/contract/limits";
import { assertStorable } from "#lib/core/input/assert-storable";
import { parseJson } from "#lib/core/input/parse-json";
import { type PreparedInput, prepareInput } from "#lib/core/redaction/prepare-input";
import { exceedsJsonDepth, isJsonObject } from "#lib/support/json";

/** The body is nested in the run's input below `output.body`, and the whole must not be too deep. */
const BODY_DEPTH = LIMITS.jsonDepth - 2;
const OPENING = '{"output":';

/** A delivery to read. */
export interface ReceivedEvent {
  body: Uint8Array;
  receivedAt: string;
  /** A field of the body that may identify the event; null if no field does. */
  idField: string | null;
}

/** What a delivery means to a run. */
export interface EventReading {
  input: PreparedInput;
  /** The value of the field, if it is a text. */
  id: string | null;
}

/**
 * Reads the body of a delivery: the input of the run that it starts, and the text that identifies it. An empty body is
 * null (decisions, Inbound webhooks).
 * @throws ApiError BAD_REQUEST, or PAYLOAD_TOO_LARGE if it contains too many values
 */
export function readEvent({ body: bytes, receivedAt, idField }: ReceivedEvent): EventReading {
  const body = bytes.byteLength === 0 ? null : parseJson(bytes);
  assertStorable(body);
  if (exceedsJsonDepth(body, BODY_DEPTH)) {
    throw new ApiError("BAD_REQUEST", `The body is nested deeper than ${BODY_DEPTH} levels.`);
  }
  const id = idField !== null && isJsonObject(body) ? body[idField] : null;
  return {
    input: prepareInput({ output: { body, timestamp: receivedAt } }),
    id: typeof id === "string" && id !== "" ? id : null,
  };
}

/** Returns the event as it arrived, from the input of its run. */
export function eventText({ shown, original }: PreparedInput): string {
  return (original ?? shown).slice(OPENING.length, -1);
}
