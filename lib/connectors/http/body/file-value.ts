import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject } from "#lib/support/json";

/** How params hold a file: values of a workflow are JSON, which has no bytes. */
export const FILE_SCHEMA: JsonObject = {
  type: "object",
  description: "A file: its bytes as base64 in data, or its text in text.",
  properties: {
    data: { type: "string", description: "The bytes, as base64." },
    text: { type: "string", description: "The content, if it is text." },
    filename: { type: "string" },
    content_type: { type: "string", description: "The media type, such as image/png." },
  },
  anyOf: [{ required: ["data"] }, { required: ["text"] }],
  additionalProperties: false,
};

const FILE_FIELDS = ["data", "text", "filename", "content_type"];

/** A description of operations contains the schema as it is above. */
export function isFileSchema({ properties, additionalProperties }: JsonObject): boolean {
  return (
    additionalProperties === false &&
    isJsonObject(properties) &&
    FILE_FIELDS.every((name) => Object.hasOwn(properties, name))
  );
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
/** RFC 9110, 8.3.1, with parameters of visible ASCII: it cannot start another header. */
const MEDIA_TYPE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:;[ -~]*)?$/;

export interface FileValue {
  bytes: Uint8Array;
  filename: string | null;
  type: string | null;
}

/** Whether a value of the params is a file. */
export function isFileValue(value: unknown): value is JsonObject {
  return isJsonObject(value) && (typeof value.data === "string" || typeof value.text === "string");
}

/**
 * Reads a file of the params; null if the value is something else.
 * @param name the parameter, for the error
 * @throws StepError VALIDATION_ERROR
 */
export function readFile(name: string, value: unknown): FileValue | null {
  if (!isFileValue(value)) return null;
  const { data, text, filename, content_type: type } = value;
  if (typeof type === "string" && !MEDIA_TYPE.test(type)) {
    throw new StepError("VALIDATION_ERROR", `${name}.content_type: must be a media type such as image/png`);
  }
  return {
    bytes: typeof data === "string" ? decodeBase64(name, data) : Buffer.from(String(text), "utf8"),
    filename: typeof filename === "string" && filename !== "" ? filename : null,
    type: typeof type === "string" ? type : null,
  };
}

function decodeBase64(name: string, text: string): Uint8Array {
  const compact = text.replace(/\s+/g, "");
  if (!BASE64.test(compact)) throw new StepError("VALIDATION_ERROR", `${name}.data: must be base64`);
  return Buffer.from(compact, "base64");
}
