import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { parseBoundedJson } from "#lib/support/scan-json";

/** The largest document of a sign-in that is read. Real ones have 2 KB. */
const METADATA_BYTES = 262_144;

/** Reads a JSON document that describes a sign-in; null if it is none. */
export function readMetadata({ body }: Pick<OutgoingResponse, "body">): unknown {
  if (body.byteLength > METADATA_BYTES) return null;
  try {
    return parseBoundedJson(body.toString("utf8"));
  } catch {
    return null;
  }
}
