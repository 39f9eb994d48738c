import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { assertStorable } from "#lib/core/input/assert-storable";
import { readContentType } from "#lib/core/input/content-type";
import { collectPaths, eventInput } from "#lib/core/input/numbers-as-text";
import { parseExactly } from "#lib/core/input/parse-exactly";
import { decodeJson, readEventBody } from "#lib/core/input/read-event-body";
import { FORM_MEDIA_TYPE } from "#lib/core/input/read-form";
import { type PreparedInput, prepareInput } from "#lib/core/redaction/sanitize";
import { exceedsJsonDepth } from "#lib/support/json";
import { readScalars } from "#lib/support/read-scalars";

/** The body is nested in the run's input below `output.body`, and the whole must not be too deep. */
const BODY_DEPTH = LIMITS.jsonDepth - 2;
const OPENING = '"output":';

/** A delivery to read. */
export interface ReceivedEvent {
  body: Uint8Array;
  receivedAt: string;
  /** The header of the delivery; null without one. */
  contentType: string | null;
  /** Where the body may have what identifies the event (`readScalars`). */
  idPaths: string[];
}

/** What a delivery means to a run. */
export interface EventReading {
  input: PreparedInput;
  /** The values at the paths. */
  ids: string[];
}

/**
 * Reads the body of a delivery: the input of the run that it starts, and the text that identifies it. An empty body is
 * null (decisions, Inbound webhooks).
 * @throws ApiError like readEventBody
 */
export function readEvent({ body: bytes, receivedAt, contentType, idPaths }: ReceivedEvent): EventReading {
  const numbers = collectPaths("trigger.output.body");
  const body = readEventBody(bytes, contentType, numbers.note);
  assertStorable(body);
  if (exceedsJsonDepth(body, BODY_DEPTH)) {
    throw new ApiError("BAD_REQUEST", `The body is nested deeper than ${BODY_DEPTH} levels.`);
  }
  return {
    input: prepareInput(eventInput({ body, timestamp: receivedAt }, numbers.paths)),
    ids: idsIn(bytes, { body, contentType, idPaths }),
  };
}

/** Reads the ids as the sender wrote them. A form has no numbers. */
function idsIn(
  bytes: Uint8Array,
  { body, contentType, idPaths }: { body: unknown; contentType: string | null; idPaths: string[] },
): string[] {
  if (idPaths.length === 0 || body === null) return [];
  const { type, charset } = readContentType(contentType);
  const isForm = type === FORM_MEDIA_TYPE || type.startsWith("multipart/");
  const exact = isForm ? body : parseExactly(decodeJson(bytes, charset) ?? "null");
  return idPaths.flatMap((path) => readScalars(exact, path));
}

/** Returns the event as it arrived, from the input of its run. */
export function eventText({ shown, original }: PreparedInput): string {
  const text = original ?? shown;
  // Within a text, the quotes of a name would follow a backslash, so this is the field.
  return text.slice(text.indexOf(OPENING) + OPENING.length, -1);
}
