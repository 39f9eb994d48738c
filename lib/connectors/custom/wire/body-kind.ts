import { isJsonType, mimeOf } from "#lib/connectors/http/body/mime-of";

export const FORM_TYPE = "application/x-www-form-urlencoded";
export const MULTIPART_TYPE = "multipart/form-data";
const TEXT_TYPE = /^text\/|[/+]xml$|^application\/(?:[a-z.-]*yaml|x-ndjson|jsonl|graphql|javascript|sql)$/;

export const BODY_KINDS = ["json", "form", "multipart", "text", "binary"] as const;
export type BodyKind = (typeof BODY_KINDS)[number];

/** Returns how a body of a media type is written, whatever its parameters are; null if it can't be. */
export function bodyKind(type: string): BodyKind | null {
  const mime = mimeOf(type);
  if (isJsonType(mime)) return "json";
  if (mime === FORM_TYPE) return "form";
  if (mime === MULTIPART_TYPE) return "multipart";
  if (TEXT_TYPE.test(mime)) return "text";
  return mime.startsWith("multipart/") || !/^[^/\s]+\/[^/\s]+$/.test(mime) ? null : "binary";
}
