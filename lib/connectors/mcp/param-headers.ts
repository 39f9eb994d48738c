import { headerValue } from "#lib/connectors/mcp/send-message";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

/** The keyword with which a schema asks that a header repeats a parameter, so that proxies can route by it. */
const KEYWORD = "x-mcp-header";
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);

interface ParamHeader {
  path: string[];
  header: string;
}

/**
 * Returns the headers that a tool of the stateless era asks for.
 * @returns null if the schema asks for one that may not exist, which makes the tool invalid
 */
export function readParamHeaders(schema: JsonObject): ParamHeader[] | null {
  const found = declared(schema, []);
  // The keyword anywhere else, such as in the items of a list, has no single value.
  const count = JSON.stringify(schema).split(`"${KEYWORD}":`).length - 1;
  const names = new Set(found.map(({ header }) => header.toLowerCase()));
  return found.length === count && names.size === count ? found : null;
}

function declared(schema: JsonObject, path: string[]): ParamHeader[] {
  const { properties } = schema;
  const header = schema[KEYWORD];
  const isValid = path.length > 0 && typeof header === "string" && TOKEN.test(header) && TYPES.has(schema.type);
  const own = isValid ? [{ path, header }] : [];
  const inner = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, property]) =>
    isJsonObject(property) ? declared(property, [...path, name]) : [],
  );
  return [...own, ...inner];
}

/** Returns the headers of one call. A parameter that is not given has none. */
export function paramHeaders(schema: JsonObject, params: unknown): Record<string, string> {
  const given = (readParamHeaders(schema) ?? []).flatMap(({ path, header }) => {
    const value = getPath(params, path);
    const isSent = typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value);
    return isSent ? [[`mcp-param-${header.toLowerCase()}`, headerValue(String(value))] as const] : [];
  });
  return Object.fromEntries(given);
}
