import { ApiError } from "#lib/contract/error/api-error";
import { decode, decodeInCharset, isJsonMediaType, readContentType } from "#lib/core/input/content-type";
import { notJson, parseJsonText } from "#lib/core/input/parse-json";
import { FORM_MEDIA_TYPE, readForm } from "#lib/core/input/read-form";
import { readMultipart } from "#lib/core/input/read-multipart";
import type { NoteLongNumber } from "#lib/support/exact-json";

const SHOWN_CHARACTERS = 100;
/** What clients write if no one has told them a type: `fetch` calls every text plain. */
const UNDECLARED = new Set(["", "application/octet-stream", "text/plain"]);

/**
 * Reads the body of an event (decisions, Inbound webhooks: body): JSON whatever its type says, or a form. A body that is empty
 * or blank is null.
 * @param onKept called with the place of each number that became a text, because it would lose digits
 * @throws ApiError BAD_REQUEST, UNSUPPORTED_MEDIA_TYPE naming the type if the body is neither, PAYLOAD_TOO_LARGE if it
 * contains too many values
 */
export function readEventBody(bytes: Uint8Array, header: string | null, onKept?: NoteLongNumber): unknown {
  if (bytes.byteLength === 0) return null;
  const { type, charset, boundary } = readContentType(header);
  if (type === "multipart/form-data") return readMultipart(bytes, boundary, onKept);
  if (type === FORM_MEDIA_TYPE) return readForm(bytes, charset, onKept);
  const text = decodeJson(bytes, charset);
  if (!isJsonMediaType(type) && !UNDECLARED.has(type) && !looksLikeJson(text)) throw unsupported(type);
  if (text === null) throw notJson();
  if (text.trim() === "") return null;
  return parseJsonText(text, onKept);
}

/** Decodes a JSON text. It contains no NUL, so one shows UTF-16, which old senders write (RFC 4627, 3). */
export function decodeJson(bytes: Uint8Array, charset: string | null): string | null {
  const [first, second] = bytes;
  if (first === 0 || (first === 0xfe && second === 0xff)) return decode(bytes, "utf-16be");
  if (second === 0 || (first === 0xff && second === 0xfe)) return decode(bytes, "utf-16le");
  return decodeInCharset(bytes, charset);
}

/** Reports whether a text can only be meant as JSON: its mistake says more than its type. */
function looksLikeJson(text: string | null): boolean {
  if (text === null) return false;
  if (/^\s*[{[]/.test(text)) return !hasMoreDocuments(text);
  try {
    parseJsonText(text);
    return true;
  } catch {
    return false;
  }
}

/** One JSON document in each line is another format. */
function hasMoreDocuments(text: string): boolean {
  const [first = "", ...rest] = text.split(/\r?\n/, 2);
  try {
    parseJsonText(first);
    return rest.some((line) => line.trim() !== "");
  } catch {
    return false;
  }
}

function unsupported(type: string): ApiError {
  const shown = type.slice(0, SHOWN_CHARACTERS);
  const message = `A body of the type ${shown} cannot be read. Send JSON, application/x-www-form-urlencoded or multipart/form-data.`;
  return new ApiError("UNSUPPORTED_MEDIA_TYPE", message);
}
