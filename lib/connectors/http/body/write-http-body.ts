import { readFile } from "#lib/connectors/http/body/file-value";
import { type Part, writeMultipart } from "#lib/connectors/http/body/write-multipart";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject, PropertyType } from "#lib/contract/wire/json-schema";
import {
  type BodyType,
  bodyFormOf,
  describeBodyMisfit,
  describeTextMisfit,
  readBodyType,
} from "#lib/core/steps/connector/body-type";
import { isJsonObject } from "#lib/support/json";

interface HttpBody {
  /** Replaces the header that the workflow sets. */
  type: string | null;
  body: string | Uint8Array;
}

/**
 * Writes the body of an HTTP request in the content type that its author declares. A text is sent as it is.
 * @param declared the content-type header; undefined or empty if there is none
 * @param seed the same for every attempt of a step
 * @throws StepError VALIDATION_ERROR for a value that the type can't hold
 */
export function writeHttpBody(declared: string | undefined, body: unknown, seed: string): HttpBody {
  if (declared === undefined || declared === "") {
    return typeof body === "string"
      ? { type: "text/plain; charset=utf-8", body }
      : { type: "application/json", body: JSON.stringify(body) };
  }
  const type = readBodyType(declared);
  const form = bodyFormOf(type);
  const file = form === "bytes" || (form === "any" && isFile(body)) ? readFile("body", body) : null;
  if (file) return { type: null, body: file.bytes };
  const misfit = describeBodyMisfit(type, kindOf(body));
  if (misfit !== null) throw new StepError("VALIDATION_ERROR", `body: ${misfit}`);
  if (typeof body === "string") return { type: null, body: textBody(type, body) };
  if (form === "form") return { type: null, body: writeForm(type, body as JsonObject) };
  if (form === "multipart") {
    const { type: withBoundary, bytes } = writeMultipart(partsOf(body as JsonObject), seed);
    return { type: withBoundary, body: bytes };
  }
  if (form === "lines") return { type: null, body: linesOf(body) };
  const text = JSON.stringify(body);
  return { type: null, body: form === "json" ? text : inCharset(type, text) };
}

function kindOf(value: unknown): PropertyType {
  if (Array.isArray(value)) return "array";
  if (typeof value === "object") return "object";
  return typeof value as "string" | "number" | "boolean";
}

function textBody(type: BodyType, text: string): string | Uint8Array {
  const misfit = describeTextMisfit(type, text);
  if (misfit !== null) throw new StepError("VALIDATION_ERROR", `body: ${misfit}`);
  // RFC 8259, 8.1: JSON is UTF-8, whatever a parameter says.
  return bodyFormOf(type) === "json" ? text : inCharset(type, text);
}

/** The bytes of ISO 8859-1, which browsers and servers read as windows-1252: both agree outside of 0x80 to 0x9F. */
const LATIN = /^(?:iso-?8859-1|iso_8859-1|latin-?1|l1|windows-1252|cp1252)$/;
const IN_LATIN = /^[\0-\x7f\xa0-\xff]*$/;
const IN_ASCII = /^[\0-\x7f]*$/;

function isUtf8({ charset }: BodyType): boolean {
  return charset === "" || charset === "utf-8" || charset === "utf8";
}

/** Writes a text in the charset of its type. Others than these contain ASCII, except UTF-16 and UTF-32. */
function inCharset(type: BodyType, text: string): string | Uint8Array {
  const { charset } = type;
  if (isUtf8(type)) return text;
  if (LATIN.test(charset) && IN_LATIN.test(text)) return Buffer.from(text, "latin1");
  if (charset === "utf-16le") return Buffer.from(text, "utf16le");
  if (!/^utf-?(?:16|32)/.test(charset) && IN_ASCII.test(text)) return text;
  throw new StepError("VALIDATION_ERROR", `body: can't be written in the charset ${charset}. Use utf-8`);
}

function linesOf(body: unknown): string {
  const items: unknown[] = Array.isArray(body) ? body : [body];
  return items.map((item) => `${JSON.stringify(item)}\n`).join("");
}

/** A field of a form with its final name. */
type Field = readonly [name: string, value: unknown];

function writeForm(type: BodyType, body: JsonObject): string {
  const fields = Object.entries(body).flatMap(([name, value]) => fieldsOf(name, value, isNoFile));
  const texts = fields.map(([name, value]) => [name, String(value)]);
  if (isUtf8(type)) return new URLSearchParams(texts).toString();
  return texts.map((pair) => pair.map((text) => encodeBytes(inCharset(type, text))).join("=")).join("&");
}

/** Encodes the bytes of another charset as URLSearchParams does those of UTF-8: the server reads them in that charset. */
function encodeBytes(text: string | Uint8Array): string {
  return Array.from(Buffer.from(text), (byte) => {
    const character = String.fromCharCode(byte);
    if (/[\w*.-]/.test(character)) return character;
    return character === " " ? "+" : `%${byte.toString(16).padStart(2, "0").toUpperCase()}`;
  }).join("");
}

function partsOf(body: JsonObject): Part[] {
  const fields = Object.entries(body).flatMap(([name, value]) => fieldsOf(name, value, isFile));
  return fields.map(([name, value]) => {
    const file = isFile(value) ? readFile(`body.${name}`, value) : null;
    if (!file) return { name, filename: null, type: null, bytes: Buffer.from(String(value), "utf8") };
    return { name, filename: file.filename ?? name, type: file.type ?? "application/octet-stream", bytes: file.bytes };
  });
}

/**
 * Names the fields of a value: `tags=a&tags=b` for a list of values, as in `query`, and `customer[name]` and
 * `lines[0][sku]` for what is nested, as PHP, Rails and Stripe read it. Null is left out.
 */
function fieldsOf(name: string, value: unknown, isWhole: (value: unknown) => boolean): Field[] {
  if (!Array.isArray(value) || value.some((item) => typeof item === "object" && item !== null && !isWhole(item))) {
    return nestedFields(name, value, isWhole);
  }
  return value.flatMap((item): Field[] => (item === null ? [] : [[name, item]]));
}

function nestedFields(name: string, value: unknown, isWhole: (value: unknown) => boolean): Field[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object" || isWhole(value)) return [[name, value]];
  return Object.entries(value).flatMap(([key, item]) => nestedFields(`${name}[${key}]`, item, isWhole));
}

const FILE_FIELDS: ReadonlySet<string> = new Set(["data", "text", "filename", "content_type"]);

/** A file of the params has its name or its type, so that no object of other data is taken for one. */
function isFile(value: unknown): boolean {
  if (!isJsonObject(value) || !Object.keys(value).every((name) => FILE_FIELDS.has(name))) return false;
  return typeof value.filename === "string" || typeof value.content_type === "string";
}

const isNoFile = () => false;
