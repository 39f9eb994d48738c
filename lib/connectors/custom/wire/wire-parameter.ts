import type { ParameterPlace } from "#lib/contract/connector/connector";

/** How a value becomes text (OpenAPI, Style Values). */
export type WireStyle = "matrix" | "label" | "simple" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

/** How one parameter, or one field of a form, is written into a request. Together they are the table of an operation. */
export interface WireParameter {
  in: ParameterPlace | "body";
  name: string;
  style: WireStyle;
  explode: boolean;
  /** Reserved characters of the value are sent as they are, where they can't be mistaken for a delimiter. */
  allowReserved?: true;
  /** The value is written as a document of this media type, without a style. In a form, the type of the part. */
  content?: string;
  /** The value is a file. */
  file?: true;
  /** Empty text is a value, not a missing one. */
  allowEmpty?: true;
}

const DEFAULT_STYLES: Record<WireParameter["in"], WireStyle> = {
  path: "simple",
  query: "form",
  header: "simple",
  cookie: "form",
  body: "form",
};

/** The styles that a place can have. Another one in a document is a mistake, and the default is used. */
const STYLES: Record<WireParameter["in"], readonly WireStyle[]> = {
  path: ["matrix", "label", "simple"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
  body: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
};

/** Completes the keywords of a parameter or an encoding object with the defaults of OpenAPI. */
export function wireParameter(
  place: WireParameter["in"],
  name: string,
  given: { readonly [keyword: string]: unknown } = {},
): WireParameter {
  const style = STYLES[place].find((known) => known === given.style) ?? DEFAULT_STYLES[place];
  const explode = typeof given.explode === "boolean" ? given.explode : style === "form" || style === "deepObject";
  return {
    in: place,
    name,
    style,
    explode,
    ...(given.allowReserved === true && (place === "query" || place === "body") ? { allowReserved: true } : {}),
    ...(given.allowEmptyValue === true && place === "query" ? { allowEmpty: true } : {}),
  };
}

/**
 * A field of a form without a style: text as it is, an object as JSON, and a list item by item (OpenAPI, Encoding Object,
 * contentType).
 */
export function formField(name: string, content = "text/plain"): WireParameter {
  return { in: "body", name, style: "form", explode: true, content };
}
