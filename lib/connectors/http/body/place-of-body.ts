import type { WrittenPlace } from "#lib/contract/action/field-places";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { parseTemplate } from "#lib/core/expressions/parse-template";
import { bodyFormOf, readBodyType } from "#lib/core/steps/connector/body-type";
import { isJsonObject } from "#lib/support/json";

/** An operation of GraphQL, or a selection with an argument, an alias, or a selection of its own (GraphQL, 2.3). */
const GRAPHQL = /^\s*(?:(?:query|mutation|subscription|fragment)\b[^"{]*)?\{\s*[A-Za-z_]\w*\s*[({:]/;

/** Returns the language of the `query` of a JSON body, which GraphQL calls its document. */
export function placeOfQuery(_others: JsonObject, query: unknown): WrittenPlace | null {
  return typeof query === "string" && GRAPHQL.test(query) ? "graphql" : null;
}

/**
 * Returns the language of a body that is a text with values in it, as its content-type header says. A text that is one value
 * is the whole body, and the texts in an object are data.
 */
export function placeOfBody({ headers }: JsonObject, body: unknown): WrittenPlace | null {
  if (typeof body !== "string" || parseTemplate(body).parts.length < 2 || !isJsonObject(headers)) return null;
  const header = Object.entries(headers).findLast(([name]) => name.trim().toLowerCase() === "content-type")?.[1];
  if (typeof header !== "string") return null;
  const type = readBodyType(header);
  switch (bodyFormOf(type)) {
    case "json":
    case "lines":
      return "json";
    case "form":
      return "form";
    case "multipart":
      return "multipart";
    case "text":
      if (type.mime.startsWith("multipart/")) return "multipart";
      if (type.mime === "application/graphql") return "graphql";
      if (type.mime === "text/html") return "html";
      return /[/+]xml$/.test(type.mime) ? "xml" : null;
    default:
      return null;
  }
}
