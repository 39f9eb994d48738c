import type { PropertyType } from "#lib/contract/wire/json-schema";

/** How a body is written: as its content type asks. */
type BodyForm = "json" | "lines" | "form" | "multipart" | "bytes" | "text" | "any";

/** A content-type header (RFC 9110, 8.3). */
export interface BodyType {
  mime: string;
  charset: string;
  boundary: string;
}

const JSON_TYPE = /[/+]json$/;
const LINES_TYPE = /^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)$/;
/** Types whose content can't be JSON. text/plain is any text, so an object is its JSON. */
const TEXT_TYPE = /[/+]xml$|^text\/(?!plain$)|^multipart\/|^application\/(?:graphql|javascript|ecmascript|sql|toml)$/;
const BYTES_TYPE =
  /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|gzip|x-gzip|x-tar|x-bzip2?|x-7z-compressed|vnd\.rar|msword|vnd\.ms-[\w.-]+|vnd\.openxmlformats-officedocument\.[\w.-]+|wasm|cbor|(?:x-|vnd\.)?msgpack|(?:x-|vnd\.google\.)?protobuf)$|\+(?:zip|gzip|cbor|zstd)$/;

/** Reads a content type in any case, with or without parameters. */
export function readBodyType(text: string): BodyType {
  const [mime = "", ...parameters] = text.split(";");
  const read = (name: string) => {
    const found = parameters.find((parameter) => parameter.split("=")[0]?.trim().toLowerCase() === name);
    const value = found?.slice(found.indexOf("=") + 1).trim() ?? "";
    return value.startsWith('"') ? value.slice(1, value.endsWith('"') ? -1 : undefined) : value;
  };
  return { mime: mime.trim().toLowerCase(), charset: read("charset").toLowerCase(), boundary: read("boundary") };
}

export function bodyFormOf({ mime }: BodyType): BodyForm {
  if (JSON_TYPE.test(mime)) return "json";
  if (LINES_TYPE.test(mime)) return "lines";
  if (mime === "application/x-www-form-urlencoded") return "form";
  if (mime === "multipart/form-data") return "multipart";
  if (TEXT_TYPE.test(mime)) return "text";
  return BYTES_TYPE.test(mime) ? "bytes" : "any";
}

const KIND_WORDS: Record<PropertyType, string> = {
  array: "a list",
  boolean: "true or false",
  integer: "a number",
  number: "a number",
  object: "an object",
  string: "a text",
};

/** Returns why a value of a kind can't be sent as a content type, as the end of a sentence; null if it can. */
export function describeBodyMisfit(type: BodyType, kind: PropertyType): string | null {
  const what = `is ${KIND_WORDS[kind]}, which can't be sent as ${type.mime}`;
  switch (bodyFormOf(type)) {
    case "form":
      return kind === "object" || kind === "string" ? null : `${what}. Use an object with the fields of the form`;
    case "multipart":
      if (kind === "object") return null;
      if (kind !== "string") return `${what}. Use an object with the fields of the form`;
      return type.boundary === "" ? `${what} without a boundary. Use an object with the fields of the form` : null;
    case "text":
    case "bytes":
      return kind === "object" || kind === "array" ? `${what}. Use a text, or another content-type` : null;
    default:
      return null;
  }
}

/** Returns why a text can't be sent as a content type, as the end of a sentence; null if it can. */
export function describeTextMisfit(type: BodyType, text: string): string | null {
  if (bodyFormOf(type) !== "json") return null;
  try {
    JSON.parse(text);
    return null;
  } catch {
    return `is a text that is not JSON, which can't be sent as ${type.mime}. Use an object, or json(…) for a text`;
  }
}
