import type { Scope } from "#lib/contract/key/scopes";
import type { OpenApiDocument } from "#lib/contract/openapi/openapi";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/** The content of the reference page: the description of the API and the tools of the MCP server. */
export interface ApiReference {
  /** {base_url}, without a slash at the end. */
  baseUrl: string;
  document: OpenApiDocument;
  tools: ReferenceTool[];
}

export interface ReferenceTool {
  name: string;
  description: string;
  /** All of these scopes are required. */
  scopes: Scope[];
  isReadOnly: boolean;
  properties: Record<string, JsonObject>;
  required: string[];
}
