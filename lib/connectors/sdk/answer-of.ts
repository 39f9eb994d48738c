import { parseResponseBody } from "#lib/connectors/sdk/parse-response-body";
import { LIMITS } from "#lib/contract/limits";
import type { StepErrorDetails } from "#lib/contract/run/step-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";

/**
 * Returns what an error keeps of a response: its status and its body, as JSON or text like the output of a step. Of a
 * longer body it keeps the start, as text. A body that a step could not use is left out.
 */
export function answerOf({ status, headers, body }: OutgoingResponse): Pick<StepErrorDetails, "status" | "body"> {
  const kept = bodyOf({ headers, body });
  return { status, ...(kept === null ? {} : { body: kept }) };
}

function bodyOf({ headers, body }: Pick<OutgoingResponse, "headers" | "body">): unknown {
  if (body.byteLength > LIMITS.errorBodyBytes) return startOf({ headers, body });
  try {
    return parseResponseBody({ headers, body });
  } catch {
    return startOf({ headers, body });
  }
}

/** The start of a response that is text; the cut may be inside a character. */
function startOf({ headers, body }: Pick<OutgoingResponse, "headers" | "body">): string | null {
  const type = headers["content-type"] ?? "";
  if (type !== "" && !/^text\/|json|xml|urlencoded|javascript/i.test(type)) return null;
  const start = body.subarray(0, LIMITS.errorBodyBytes);
  const text = new TextDecoder().decode(start, { stream: true });
  return text.includes("\0") ? null : text;
}
