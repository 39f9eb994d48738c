import { type BuildFinding, below } from "#lib/connectors/custom/custom-definition";
import { listFields } from "#lib/connectors/custom/list-fields";
import { readExample } from "#lib/connectors/custom/read-example";
import { resolveReference } from "#lib/connectors/custom/resolve-reference";
import { resolveSchema } from "#lib/connectors/custom/resolve-schema";
import { BODY_KINDS, type BodyKind, bodyKind } from "#lib/connectors/custom/wire/body-kind";
import { formField, type WireParameter, wireParameter } from "#lib/connectors/custom/wire/wire-parameter";
import { FILE_SCHEMA, isFileSchema } from "#lib/connectors/http/body/file-value";
import { concreteType, isAnyType, isJsonType, mimeOf, parametersOf } from "#lib/connectors/http/body/mime-of";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject } from "#lib/support/json";

interface MediaBody {
  type: string;
  schema: JsonObject;
  /** The table of its fields, if it is a form. */
  wire: WireParameter[];
  /** That of the document; undefined if it has none. */
  example: unknown;
}

interface RequestBody extends MediaBody {
  /** What is sent instead if the body contains a file, which the type above cannot carry. */
  upload: MediaBody | null;
}

interface Candidate {
  key: string;
  mime: string;
  kind: BodyKind;
  /** With the parameters of the document. */
  type: string;
}

/**
 * Reads a request body in the media type that values of a workflow fit best: JSON, then forms, then text, then bytes. A
 * type that can carry files is read, too, if that one cannot.
 * @param holder the body with its references followed
 * @returns null if none of its media types can be sent
 */
export function readRequestBody(
  document: JsonObject,
  holder: unknown,
  pointer: string,
  findings: BuildFinding[],
): RequestBody | null {
  if (!isJsonObject(holder) || !isJsonObject(holder.content)) return null;
  const { content } = holder;
  const read = (candidate: Candidate) => {
    const at = below(below(pointer, "content"), candidate.key);
    return readMedia(document, resolveReference(document, content[candidate.key], at), candidate, { at, findings });
  };
  const candidates = candidatesOf(Object.keys(content));
  const [best, ...others] = candidates;
  const body = best ? read(best) : null;
  if (!best || !body) return null;
  return { ...body, upload: best.kind === "json" || best.kind === "form" ? findUpload(others, read) : null };
}

/** Lists the media types that can be sent, the best first. */
function candidatesOf(keys: readonly string[]): Candidate[] {
  return keys
    .flatMap((key): Candidate[] => {
      const mime = concreteType(mimeOf(key));
      const kind = bodyKind(mime);
      const isForm = kind === "form" || kind === "multipart";
      return kind === null ? [] : [{ key, mime, kind, type: isForm ? mime : mime + parametersOf(key) }];
    })
    .sort((a, b) => BODY_KINDS.indexOf(a.kind) - BODY_KINDS.indexOf(b.kind));
}

function readMedia(
  document: JsonObject,
  media: unknown,
  { mime, type: declared }: Candidate,
  { at, findings }: { at: string; findings: BuildFinding[] },
): MediaBody | null {
  if (!isJsonObject(media)) return null;
  const resolved = resolveSchema(document, media.schema, below(at, "schema"), findings);
  const type = isAnyType(mime) && !isFile(resolved) ? "application/json" : declared;
  const body = describeBody(type, resolved, isJsonObject(media.encoding) ? media.encoding : {});
  return { ...body, example: readExample(document, media) };
}

/** Reads the first form with a field for files, otherwise the first type of plain bytes. */
function findUpload(others: readonly Candidate[], read: (candidate: Candidate) => MediaBody | null): MediaBody | null {
  for (const candidate of others) {
    if (candidate.kind === "multipart") {
      const body = read(candidate);
      if (body?.wire.some(({ file }) => file)) return body;
    }
    if (candidate.kind === "binary" && !isAnyType(candidate.mime)) {
      const body = read(candidate);
      if (body) return { ...body, schema: FILE_SCHEMA };
    }
  }
  return null;
}

function describeBody(type: string, schema: JsonObject, encoding: JsonObject): Omit<MediaBody, "example"> {
  switch (bodyKind(type)) {
    case "form":
      return { type, schema, wire: formTable(schema, encoding) };
    case "multipart": {
      const withFiles = allowFiles(schema, encoding);
      return { type, schema: withFiles, wire: formTable(withFiles, encoding) };
    }
    case "binary":
      return { type, schema: { anyOf: [FILE_SCHEMA, { type: "string" }] }, wire: [] };
    case "text":
      // Objects have no form as XML or YAML, so the text itself is the value.
      return {
        type,
        schema: mimeOf(type) === "text/plain" ? schema : { ...wordsOf(schema), type: "string" },
        wire: [],
      };
    default:
      return { type, schema, wire: [] };
  }
}

function wordsOf({ description }: JsonObject): JsonObject {
  return description === undefined ? {} : { description };
}

function formTable(schema: JsonObject, encoding: JsonObject): WireParameter[] {
  const fields = listFields(schema);
  const names = new Set([...fields.keys(), ...Object.keys(encoding)]);
  return [...names].map((name) => {
    const row = fieldRow(name, encoding[name]);
    return holdsFile(fields.get(name)) ? { ...row, file: true } : row;
  });
}

/** The style keywords count if one of them is there; otherwise the content type does. */
function fieldRow(name: string, encoding: unknown): WireParameter {
  if (!isJsonObject(encoding)) return formField(name);
  const { style, explode, allowReserved, contentType } = encoding;
  if (style !== undefined || explode !== undefined || allowReserved !== undefined) {
    return wireParameter("body", name, encoding);
  }
  // Several types are a choice, which a file makes with its own.
  return typeof contentType === "string" && !contentType.includes(",")
    ? formField(name, mimeOf(contentType))
    : formField(name);
}

/** Replaces the schemas of files in the fields of a form with what params hold instead. */
function allowFiles(schema: JsonObject, encoding: JsonObject): JsonObject {
  const properties: JsonObject = isJsonObject(schema.properties) ? schema.properties : {};
  const entries = Object.entries(properties).map(([name, property]) => {
    const types = isJsonObject(encoding[name]) ? encoding[name].contentType : undefined;
    return [name, isJsonObject(property) ? fileOr(property, isBinaryType(types)) : property];
  });
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((key) => {
    const list = schema[key];
    if (!Array.isArray(list)) return [];
    return [[key, list.map((part: unknown) => (isJsonObject(part) ? allowFiles(part, encoding) : part))]];
  });
  const own = isJsonObject(schema.properties) ? { properties: Object.fromEntries(entries) } : {};
  return { ...schema, ...own, ...Object.fromEntries(parts) };
}

function fileOr(schema: JsonObject, isBinary: boolean): JsonObject {
  if (isFileSchema(schema)) return schema;
  if (isFile(schema) || (isBinary && (schema.type === "string" || schema.type === undefined))) {
    return { ...FILE_SCHEMA, ...wordsOf(schema) };
  }
  const { items } = schema;
  if (isJsonObject(items)) return { ...schema, items: fileOr(items, isBinary) };
  const choices = ["anyOf", "oneOf"].flatMap((key) => {
    const list = schema[key];
    if (!Array.isArray(list)) return [];
    return [[key, list.map((part: unknown) => (isJsonObject(part) ? fileOr(part, isBinary) : part))]];
  });
  return { ...schema, ...Object.fromEntries(choices) };
}

function isBinaryType(types: unknown): boolean {
  if (typeof types !== "string") return false;
  return types.split(",").every((type) => bodyKind(mimeOf(type)) === "binary" && !isJsonType(mimeOf(type)));
}

/** OpenAPI 3.0 says `format: binary`, 3.1 names the media type of the content. */
function isFile({ type, format, contentMediaType, contentEncoding }: JsonObject): boolean {
  if (format === "binary") return true;
  if (typeof contentMediaType !== "string" || contentEncoding !== undefined) return false;
  return (type === undefined || type === "string") && bodyKind(mimeOf(contentMediaType)) === "binary";
}

function holdsFile(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false;
  if (isFileSchema(schema)) return true;
  const inner = [schema.items, ...[schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []))];
  return inner.some(holdsFile);
}
