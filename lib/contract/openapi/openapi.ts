import type { JsonObject } from "#lib/contract/wire/json-schema";

/** The part of OpenAPI 3.1 that the description of the runtime API uses. */
export interface OpenApiDocument {
  openapi: "3.1.0";
  info: { title: string; version: string; summary: string; description: string; license: JsonObject };
  servers: { url: string; description: string }[];
  security: OpenApiSecurity[];
  tags: { name: string; description: string }[];
  paths: Record<string, OpenApiPath>;
  components: {
    securitySchemes: Record<string, JsonObject>;
    headers: Record<string, OpenApiHeader>;
    schemas: Record<string, JsonObject>;
  };
}

export type OpenApiMethod = "get" | "post";
export type OpenApiPath = Partial<Record<OpenApiMethod, OpenApiOperation>>;

/** Maps a security scheme to the scopes it must grant. */
type OpenApiSecurity = Record<string, string[]>;

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: OpenApiSecurity[];
  parameters: OpenApiParameter[];
  requestBody?: { description: string; required: boolean; content: OpenApiContent };
  responses: Record<string, OpenApiResponse>;
}

export interface OpenApiParameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  schema: JsonObject;
  example?: unknown;
}

export interface OpenApiResponse {
  description: string;
  headers: Record<string, OpenApiHeader | { $ref: string }>;
  /** Absent in an answer without a body. */
  content?: OpenApiContent;
}

export interface OpenApiHeader {
  description: string;
  required: boolean;
  schema: JsonObject;
  example: unknown;
}

export interface OpenApiContent {
  "application/json": { schema: JsonObject; examples: Record<string, { summary: string; value: unknown }> };
}
