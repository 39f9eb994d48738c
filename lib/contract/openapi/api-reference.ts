import type { JsonObject } from "#lib/contract/json-schema";
import type { OpenApiDocument } from "#lib/contract/openapi/openapi";
import type { Scope } from "#lib/contract/scopes";

/** What the reference page shows: the description of the API, and the tools of the MCP server beside it. */
export interface ApiReference {
  /** {base_url}, without a slash at the end. */
  baseUrl: string;
  document: OpenApiDocument;
  tools: ReferenceTool[];
}

export interface ReferenceTool {
  name: string;
  description: string;
  /** All of them are needed. */
  scopes: Scope[];
  isReadOnly: boolean;
  properties: Record<string, JsonObject>;
  required: string[];
}
