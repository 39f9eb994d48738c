import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import {
  decode,
  decodeInCharset,
  headerParameters,
  isJsonMediaType,
  readContentType,
} from "#lib/core/input/content-type";
import { formObject, tooManyFields } from "#lib/core/input/form-fields";
import { noteTexts } from "#lib/core/input/numbers-as-text";
import { notJson, parseJsonText } from "#lib/core/input/parse-json";
import type { NoteLongNumber } from "#lib/support/exact-json";
import { isJsonObject } from "#lib/support/json";

/** RFC 2046, 5.1.1 allows 70 characters. */
const MAX_BOUNDARY = 200;
const MAX_HEADER_BYTES = 8_192;
/** What the event keeps free for the name, the type and the size of each file. */
const FILE_FACTS_BYTES = 512;
const LF = 10;
const CR = 13;

interface Part {
  name: string;
  /** Null for a field. */
  filename: string | null;
  type: string;
  charset: string | null;
  content: Buffer;
}

/**
 * Reads a form that may have files (RFC 7578) as an object, with the names of `formObject`. A part with JSON is its value.
 * A file is `{filename, content_type, size, data}`, as connectors take files: `data` is base64, or null once the event
 * would exceed the size of a step's output. A file input without a file is null.
 * @param onKept called with the place of each number that became a text, because it would lose digits
 * @throws ApiError BAD_REQUEST for a body that is cut off or no such form, PAYLOAD_TOO_LARGE for too many fields
 */
export function readMultipart(body: Uint8Array, boundary: string | null, onKept?: NoteLongNumber): JsonObject {
  if (boundary === null) throw unreadable("its content-type has no boundary");
  if (boundary.length > MAX_BOUNDARY) throw unreadable("its boundary is too long");
  const parts = [...splitParts(Buffer.from(body.buffer, body.byteOffset, body.byteLength), boundary)];
  const charsets = charsetsIn(parts);
  const digits = new Set<string>();
  const keep: NoteLongNumber = (_path, number) => digits.add(number);
  const texts = parts.map((part) => (isFile(part, charsets) ? null : readField(part, charsets, keep)));
  const used = JSON.stringify(texts).length + parts.reduce((sum, { name }) => sum + name.length, 0);
  let room = LIMITS.stepOutputBytes - FILE_FACTS_BYTES * parts.length - used;
  const readFile = ({ filename, type, content }: Part): JsonObject | null => {
    if (filename === "" && content.byteLength === 0) return null;
    const size = content.byteLength;
    const length = Math.ceil(size / 3) * 4;
    const hasRoom = length <= room;
    if (hasRoom) room -= length;
    return { filename, content_type: type || null, size, data: hasRoom ? content.toString("base64") : null };
  };
  const form = formObject(
    parts.map((part, index) => [part.name, isFile(part, charsets) ? readFile(part) : texts[index]] as const),
  );
  // Names in brackets and repeated names move a value, so it is found where it is now.
  if (onKept) noteTexts(form, digits, onKept);
  return form;
}

/** Yields the parts in their order, each byte looked at once. Lines may end with LF alone, as some senders write them. */
function* splitParts(body: Buffer, boundary: string): Generator<Part> {
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  let start: number | null = null;
  let count = 0;
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + delimiter.length)) {
    const line = readDelimiter(body, at, delimiter.length);
    if (line === null) continue;
    if (start !== null) {
      count += 1;
      if (count > LIMITS.formFields) throw tooManyFields();
      yield readPart(body.subarray(start, Math.max(start, at - lineEndBefore(body, at))));
    }
    if (line.isLast) return;
    start = line.end;
  }
  throw unreadable(start === null ? "its boundary does not occur in it" : "it ends before its last boundary");
}

/** @returns null for text that only looks like a delimiter: one starts a line and is followed by nothing else */
function readDelimiter(body: Buffer, at: number, length: number): { end: number; isLast: boolean } | null {
  if (at > 0 && body[at - 1] !== LF) return null;
  let end = at + length;
  if (body[end] === 0x2d && body[end + 1] === 0x2d) return { end, isLast: true };
  while (body[end] === 0x20 || body[end] === 0x09) end += 1;
  if (body[end] === CR) end += 1;
  return body[end] === LF ? { end: end + 1, isLast: false } : null;
}

function lineEndBefore(body: Buffer, at: number): number {
  return body[at - 2] === CR ? 2 : 1;
}

function readPart(part: Buffer): Part {
  const { headers, content } = splitHeaders(part);
  const disposition = headers.get("content-disposition") ?? "";
  const parameters = headerParameters(disposition);
  const name = parameters.get("name");
  if (!/^form-data\b/i.test(disposition) || name === undefined) throw unreadable("a part of it has no name");
  const extended = parameters.get("filename*");
  const plain = parameters.get("filename");
  const filename = (extended && decodeExtended(extended)) ?? (plain === undefined ? null : unescapeName(plain));
  const { type, charset } = readContentType(headers.get("content-type"));
  return { name: unescapeName(name), filename, type, charset, content };
}

function splitHeaders(part: Buffer): { headers: Map<string, string>; content: Buffer } {
  const headers = new Map<string, string>();
  const head = part.subarray(0, MAX_HEADER_BYTES);
  let at = 0;
  let name = "";
  for (;;) {
    const end = head.indexOf(LF, at);
    if (end === -1) throw unreadable("the headers of a part do not end, or are too long");
    const bytes = head.subarray(at, end);
    const line = (decode(bytes, "utf-8") ?? bytes.toString("latin1")).replace(/\r$/, "");
    at = end + 1;
    if (line === "") return { headers, content: part.subarray(at) };
    if (/^[ \t]/.test(line)) {
      headers.set(name, `${headers.get(name) ?? ""} ${line.trim()}`);
    } else {
      const colon = line.indexOf(":");
      name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
      headers.set(name, line.slice(colon + 1).trim());
    }
  }
}

/** Browsers write quotes and line ends in this way (HTML, multipart form data). */
function unescapeName(text: string): string {
  return text.replace(/%22/g, '"').replace(/%0D/gi, "\r").replace(/%0A/gi, "\n");
}

/** `UTF-8''na%C3%AFve.txt` (RFC 8187, 3.2). */
function decodeExtended(text: string): string | undefined {
  const [, charset = "", value = ""] = /^([^']*)'[^']*'(.*)$/.exec(text) ?? [];
  const bytes = value.replace(/%([0-9a-f]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return charset === "" ? undefined : (decode(Buffer.from(bytes, "latin1"), charset) ?? undefined);
}

/** A part that no charset fits is a file, even if it has no file name. */
function isFile({ name, filename, type, charset, content }: Part, charsets: Charsets): boolean {
  if (filename !== null) return true;
  const isText = type === "" || type.startsWith("text/") || isJsonMediaType(type);
  return !isText && decodeInCharset(content, charset ?? charsets.of(name)) === null;
}

function readField({ name, type, charset, content }: Part, charsets: Charsets, onKept: NoteLongNumber): unknown {
  const text = decodeInCharset(content, charset ?? charsets.of(name));
  if (!isJsonMediaType(type)) return text ?? new TextDecoder().decode(content);
  if (text === null) throw notJson();
  return parseJsonText(text, onKept);
}

interface Charsets {
  of(name: string): string | null;
}

/** `_charset_` names the charset of all fields (RFC 7578, 4.6), and SendGrid's field `charsets` that of each. */
function charsetsIn(parts: Part[]): Charsets {
  const text = (wanted: string) => parts.find(({ name, filename }) => name === wanted && filename === null)?.content;
  const common = text("_charset_")?.toString("latin1").trim() || null;
  const each = readObject(text("charsets"));
  return {
    of: (name) => {
      const own = each !== null && Object.hasOwn(each, name) ? each[name] : null;
      return typeof own === "string" ? own : common;
    },
  };
}

function readObject(bytes: Buffer | undefined): JsonObject | null {
  if (bytes === undefined || bytes.byteLength > MAX_HEADER_BYTES) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function unreadable(reason: string): ApiError {
  return new ApiError("BAD_REQUEST", `The body is not a multipart form: ${reason}.`);
}
