import { bodyKind } from "#lib/connectors/custom/wire/body-kind";
import { contentText, percentEncode, serializeParameter } from "#lib/connectors/custom/wire/serialize-parameter";
import { formField, type WireParameter } from "#lib/connectors/custom/wire/wire-parameter";
import { readFile } from "#lib/connectors/http/body/file-value";
import { isJsonType } from "#lib/connectors/http/body/mime-of";
import { type Part, writeMultipart } from "#lib/connectors/http/body/write-multipart";
import { isJsonObject } from "#lib/support/json";

interface WrittenBody {
  type: string;
  body: string | Uint8Array;
}

/**
 * Writes a body in its media type.
 * @param wire the table of the operation; a field that it does not list has the defaults
 * @param seed for the boundary of a multipart body
 * @throws StepError VALIDATION_ERROR for a file that cannot be read
 */
export function writeBody(type: string, value: unknown, wire: readonly WireParameter[], seed: string): WrittenBody {
  switch (bodyKind(type)) {
    case "json":
      return { type, body: JSON.stringify(value) };
    case "form":
      return { type, body: typeof value === "string" ? value : writeForm(value, wire) };
    case "multipart": {
      const { type: withBoundary, bytes } = writeMultipart(partsOf(value, wire), seed);
      return { type: withBoundary, body: bytes };
    }
    case "binary":
      return binaryBody(type, value);
    default:
      return { type, body: contentText(type, value) };
  }
}

function writeForm(value: unknown, wire: readonly WireParameter[]): string {
  return fieldsOf(value, wire)
    .map(([field, item]) => fieldPairs(field, item))
    .filter((pairs) => pairs !== "")
    .join("&");
}

/** A field with a content type is one value, or one for each item of a list; otherwise its style decides. */
function fieldPairs(field: WireParameter, value: unknown): string {
  return itemsOf(field, value)
    .map((item) => serializeParameter(field, item, percentEncode))
    .join("&");
}

function itemsOf({ content }: WireParameter, value: unknown): unknown[] {
  return Array.isArray(value) && content !== undefined && !isJsonType(content) ? value : [value];
}

function fieldsOf(value: unknown, wire: readonly WireParameter[]): [WireParameter, unknown][] {
  if (!isJsonObject(value)) return [];
  const known = new Map(wire.flatMap((field) => (field.in === "body" ? [[field.name, field] as const] : [])));
  return Object.entries(value).flatMap(([name, item]): [WireParameter, unknown][] =>
    item === null || item === undefined ? [] : [[known.get(name) ?? formField(name), item]],
  );
}

function partsOf(value: unknown, wire: readonly WireParameter[]): Part[] {
  return fieldsOf(value, wire).flatMap(([field, item]) => {
    if (field.content === undefined) return styledParts(field, item);
    return itemsOf(field, item).map((one) => partOf(field, field.content ?? "", one));
  });
}

/** The pairs of a style, each as a part: `a[b]`, `a[c]`. */
function styledParts(field: WireParameter, value: unknown): Part[] {
  const pairs = new URLSearchParams(serializeParameter(field, value, percentEncode));
  return [...pairs].map(([name, text]) => ({ name, filename: null, type: null, bytes: Buffer.from(text, "utf8") }));
}

function partOf({ name, file }: WireParameter, content: string, value: unknown): Part {
  const given = file ? readFile(`body.${name}`, value) : null;
  const declared = /^text\/plain$|\*/.test(content) ? null : content;
  if (given) {
    const type = given.type ?? declared ?? "application/octet-stream";
    return { name, filename: given.filename ?? name, type, bytes: given.bytes };
  }
  const type = declared ?? (typeof value === "object" ? "application/json" : null);
  return { name, filename: null, type, bytes: Buffer.from(contentText(type ?? content, value), "utf8") };
}

function binaryBody(type: string, value: unknown): WrittenBody {
  const given = readFile("body", value);
  const declared = type.includes("*") ? "application/octet-stream" : type;
  if (given) return { type: given.type ?? declared, body: given.bytes };
  return { type: declared, body: contentText(type, value) };
}
