import type { JsonObject } from "#lib/contract/wire/json-schema";

/** One call of a vendor's API, both as the vendor's document declares it and as the vendor's client makes it. */
export interface VendorRequestCase {
  vendor: string;
  /** The behavior that the case shows. */
  shows: string;
  /** The call's OpenAPI, which we wrote from the vendor's public document: only parameters and bodies. */
  path: string;
  method: "get" | "post" | "put" | "patch" | "delete";
  operation: JsonObject;
  params: JsonObject;
  /** Makes the same call with the vendor's client. The call may fail after the request was sent. */
  call(url: string): Promise<unknown>;
  /**
   * The reason why names and values are compared after decoding: percent-encoding leaves a choice, and the client chose
   * differently.
   */
  escapes?: string;
  /** Headers in the document that the vendor's client sends too. */
  headers?: readonly string[];
}

type Schema = JsonObject;

export const TEXT: Schema = { type: "string" };
export const INTEGER: Schema = { type: "integer" };
export const FLAG: Schema = { type: "boolean" };
export const listSchema = (items: Schema): Schema => ({ type: "array", items });
export const objectSchema = (properties: JsonObject): Schema => ({ type: "object", properties });

export const inPath = (name: string): JsonObject => ({ name, in: "path", required: true, schema: TEXT });
export const inQuery = (name: string, schema: Schema = TEXT, keywords: JsonObject = {}): JsonObject => {
  return { name, in: "query", schema, ...keywords };
};
export const inHeader = (name: string): JsonObject => ({ name, in: "header", required: true, schema: TEXT });

export const COMMAS: JsonObject = { style: "form", explode: false };
export const DEEP: JsonObject = { style: "deepObject", explode: true };

export const body = (type: string, schema: Schema, encoding: JsonObject = {}): JsonObject => ({
  requestBody: { required: true, content: { [type]: { schema, encoding } } },
});
export const jsonBody = (schema: Schema): JsonObject => body("application/json", schema);
export const formBody = (schema: Schema, encoding: JsonObject = {}): JsonObject =>
  body("application/x-www-form-urlencoded", schema, encoding);
