import type { WireParameter } from "#lib/connectors/custom/wire/wire-parameter";
import { isJsonObject } from "#lib/support/json";

/** Writes text so that it cannot be mistaken for a delimiter. */
export type Encode = (text: string) => string;

/**
 * RFC 3986: for paths, queries, cookies and forms. Forms could also write a space as a plus sign; every parser reads both,
 * and the clients of most vendors write %20.
 */
export const percentEncode: Encode = (text) => encodeURIComponent(text.toWellFormed());

/** Header values have no encoding; the client refuses what a header can't contain. */
export const headerText: Encode = (text) => text;

/**
 * Reserved characters that can be part of a value in a query. The others end the value: `&` starts another parameter, `#`
 * ends the URL, and `+` would be read as a space. RFC 3986 allows no brackets in a query.
 */
const RESERVED_IN_VALUES = /%(?:3A|2F|3F|40|24|2C|3B|3D)/g;
const PERCENT_TRIPLET = /(%[0-9A-Fa-f]{2})/;

/**
 * Writes one value as its style says (OpenAPI, Style Examples; RFC 6570). Nested values of a style that has no way to write
 * them are JSON text. Absent values inside lists and objects are left out.
 * @returns the text of a path segment, a header value, or the pairs of a query, form or cookie joined with `&`. A list or
 * object that is empty gives empty text in a query: the parameter is not sent
 */
export function serializeParameter(parameter: WireParameter, value: unknown, encode: Encode): string {
  const inner = parameter.allowReserved ? (text: string) => keepReserved(text, encode) : encode;
  if (parameter.content !== undefined) return pairOf(parameter, inner(contentText(parameter.content, value)), encode);
  const name = encode(parameter.name);
  const items = Array.isArray(value) ? value.filter(isPresent).map((item) => inner(scalarText(item))) : null;
  const fields = isJsonObject(value) ? fieldsOf(value, encode, inner) : null;
  switch (parameter.style) {
    case "matrix":
      if (parameter.explode && items) return items.map((item) => `;${name}=${item}`).join("");
      if (parameter.explode && fields) return fields.map(([key, text]) => `;${key}=${text}`).join("");
      return matrix(name, flat(items, fields, value, ",", inner));
    case "label":
      if (parameter.explode && items) return items.map((item) => `.${item}`).join("");
      if (parameter.explode && fields) return fields.map(([key, text]) => `.${key}=${text}`).join("");
      return `.${flat(items, fields, value, ",", inner)}`;
    case "simple":
      if (parameter.explode && fields) return fields.map(([key, text]) => `${key}=${text}`).join(",");
      return flat(items, fields, value, ",", inner);
    case "deepObject":
      return deepPairs(parameter.name, value, encode, inner).join("&");
    default:
      return queryPairs(parameter, { items, fields, value }, encode, inner);
  }
}

const DELIMITERS: Partial<Record<WireParameter["style"], string>> = { spaceDelimited: " ", pipeDelimited: "|" };

function queryPairs(
  parameter: WireParameter,
  { items, fields, value }: { items: string[] | null; fields: [string, string][] | null; value: unknown },
  encode: Encode,
  inner: Encode,
): string {
  const name = encode(parameter.name);
  if (items?.length === 0 || fields?.length === 0) return "";
  if (parameter.explode && items) return items.map((item) => `${name}=${item}`).join("&");
  if (parameter.explode && fields) return fields.map(([key, text]) => `${key}=${text}`).join("&");
  const delimiter = DELIMITERS[parameter.style];
  return `${name}=${flat(items, fields, value, delimiter === undefined ? "," : encode(delimiter), inner)}`;
}

/** A list or object without explode: its values, or its keys and values in turn. */
function flat(
  items: string[] | null,
  fields: [string, string][] | null,
  value: unknown,
  delimiter: string,
  inner: Encode,
): string {
  if (items) return items.join(delimiter);
  return fields ? fields.flat().join(delimiter) : inner(scalarText(value));
}

function matrix(name: string, text: string): string {
  return text === "" ? `;${name}` : `;${name}=${text}`;
}

/** `a[b][c]=`, and `a[0][b]=` for lists: OpenAPI defines one level of objects, and vendors nest them this way. */
function deepPairs(path: string, value: unknown, encode: Encode, inner: Encode): string[] {
  if (!isPresent(value)) return [];
  if (typeof value !== "object") return [`${encode(path)}=${inner(String(value))}`];
  return Object.entries(value as object).flatMap(([key, item]) => deepPairs(`${path}[${key}]`, item, encode, inner));
}

/** Writes a value as a document of a media type: JSON, or text as it is. */
export function contentText(type: string, value: unknown): string {
  return /[/+]json$/.test(type) ? JSON.stringify(value) : scalarText(value);
}

function pairOf({ in: place, name }: WireParameter, text: string, encode: Encode): string {
  return place === "path" || place === "header" ? text : `${encode(name)}=${text}`;
}

function fieldsOf(value: object, encode: Encode, inner: Encode): [string, string][] {
  return Object.entries(value).flatMap(([key, item]): [string, string][] =>
    isPresent(item) ? [[encode(key), inner(scalarText(item))]] : [],
  );
}

function scalarText(value: unknown): string {
  if (!isPresent(value)) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** Encodes everything but reserved characters and what is encoded already. */
function keepReserved(text: string, encode: Encode): string {
  const parts = text.split(PERCENT_TRIPLET);
  return parts
    .map((part, index) => (index % 2 === 1 ? part : encode(part).replace(RESERVED_IN_VALUES, decodeURIComponent)))
    .join("");
}
