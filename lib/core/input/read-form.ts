import { LIMITS } from "#lib/contract/limits";
import { decodeInCharset, readContentType } from "#lib/core/input/content-type";
import { formObject, tooManyFields } from "#lib/core/input/form-fields";
import { parseJsonText, parseSentJson } from "#lib/core/input/parse-json";
import type { NoteLongNumber } from "#lib/support/exact-json";

const SHOWN_CHARACTERS = 100;
export const FORM_MEDIA_TYPE = "application/x-www-form-urlencoded";

export function isForm(headers: Headers): boolean {
  return readContentType(headers.get("content-type")).type === FORM_MEDIA_TYPE;
}

/**
 * Reads a form body as an object (decisions, Inbound webhooks: body). A form with the single field `payload` that contains
 * JSON is that JSON, as GitHub and Slack send it. JSON that is called a form is JSON: curl sends it so by default.
 * @param onKept called with the place of each number that became a text, because it would lose digits
 * @throws ApiError BAD_REQUEST for JSON that cannot be read and names that contradict each other, PAYLOAD_TOO_LARGE for
 * too many fields
 */
export function readForm(bytes: Uint8Array, charset: string | null = null, onKept?: NoteLongNumber): unknown {
  if (isJson(bytes)) return parseSentJson(bytes, onKept);
  const fields = readFields(bytes, charset);
  if (!fields) throw tooManyFields();
  const [first] = fields;
  if (first?.[0] === "payload" && fields.length === 1 && /^\s*[{[]/.test(first[1])) {
    return parseJsonText(first[1], onKept);
  }
  return formObject(fields);
}

/** Returns the names and values of a form in their order; null if there are too many. */
export function readFields(bytes: Uint8Array, charset: string | null = null): [name: string, value: string][] | null {
  const text = new TextDecoder().decode(bytes);
  const isTooLarge = text.split("&", LIMITS.formFields + 1).length > LIMITS.formFields;
  if (isTooLarge) return null;
  return isUtf8(charset) ? [...new URLSearchParams(text)] : readFieldsIn(text, charset);
}

function isUtf8(charset: string | null): charset is null {
  return charset === null || /^utf-?8$/.test(charset);
}

/** A form in another charset, whose percent encodings are bytes of it. What is UTF-8 all the same is read as that. */
function readFieldsIn(text: string, charset: string): [name: string, value: string][] {
  const read = (part: string) => {
    const bytes = Buffer.from(
      part
        .replaceAll("+", " ")
        .replace(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      "latin1",
    );
    return decodeInCharset(bytes, charset) ?? new TextDecoder().decode(bytes);
  };
  return text
    .split("&")
    .filter((field) => field !== "")
    .map((field) => {
      const [name = "", value = ""] = field.split(/=(.*)/s);
      return [read(name), read(value)];
    });
}

/** A form has no braces, brackets or quotes where JSON starts, and a name without a value is no form that a sender sends. */
function isJson(bytes: Uint8Array): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, SHOWN_CHARACTERS)).trim();
  return /^[{["]/.test(start) || /^(?:true|false|null|-?\d[\d.eE+-]*)$/.test(start);
}
