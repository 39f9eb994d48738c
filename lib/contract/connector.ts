import type { FieldError } from "#lib/contract/api-error";
import type { ConnectionUse } from "#lib/contract/connection";
import type { StepErrorReason } from "#lib/contract/error-reasons";
import type { JsonObject } from "#lib/contract/json-schema";
import type { StepErrorCode } from "#lib/contract/step-error";

/** How a custom connector's service is authenticated at; the credentials themselves are a connection's. */
export const CUSTOM_AUTHS = [
  "none",
  "api_key",
  "bearer",
  "basic",
  "oauth2_client_credentials",
  "oauth2_authorization_code",
] as const;
export type CustomAuth = (typeof CUSTOM_AUTHS)[number];

/** decisions, Connectors. Sizes in bytes. */
export const BUILD_LIMITS = {
  documentBytes: 2 * 1_048_576,
  operations: 200,
  redirects: 3,
  definitionBytes: 4_194_304,
  /** Versions that are kept beside those that published workflows use. */
  versions: 10,
};

export const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"] as const;
export type Method = (typeof METHODS)[number];
export const PARAMETER_PLACES = ["path", "query", "header"] as const;
export type ParameterPlace = (typeof PARAMETER_PLACES)[number];

/** How a custom connector is named: by nodes, and in addresses. */
export const CONNECTOR_SLUG = /^[a-z][a-z0-9_-]{0,62}$/;

/** An operation as somebody describes it without an OpenAPI document. */
export interface DescribedOperation {
  name: string;
  title?: string | undefined;
  /** In upper case. */
  method: string;
  path: string;
  description?: string | undefined;
  /** As OpenAPI describes parameters. */
  parameters?: JsonObject[] | undefined;
  /** JSON Schemas. */
  body?: JsonObject | undefined;
  output?: JsonObject | undefined;
  /** `application/json` when left out. */
  body_type?: string | undefined;
  /** True when left out. */
  body_required?: boolean | undefined;
}

/** What a connector is built from: exactly one of `openapi`, `openapi_url` and `operations`. */
export interface ConnectorSource {
  slug: string;
  name: string;
  base_url: string;
  auth?: CustomAuth;
  openapi?: JsonObject | string;
  openapi_url?: string;
  operations?: DescribedOperation[];
}

/** What stopped a build, and what it did without. Pointers are RFC 6901, into the document or into the input. */
export interface BuildFindings {
  errors: FieldError[];
  left_out: FieldError[];
}

/** An operation of a custom connector, in short. */
export interface ConnectorRoute {
  operation: string;
  name: string;
  description: string;
  /** In upper case. */
  method: string;
  path: string;
}

/** What a build changes of the one before it, operations by name. */
export interface ConnectorChanges {
  base_url: { before: string; after: string } | null;
  auth: { before: CustomAuth; after: CustomAuth } | null;
  added: string[];
  removed: string[];
  changed: { operation: string; changes: string[] }[];
}

export interface ValidatedConnector extends BuildFindings {
  connector: string;
  valid: boolean;
  /** By name. */
  operations: string[];
  /** The same operations as requests. */
  routes: ConnectorRoute[];
  /** What the document says of itself; null where it does not. */
  suggested: { name: string | null; base_url: string | null; auth: CustomAuth | null };
  /** Against the connector of this slug as it is now; null where there is none. */
  changes: ConnectorChanges | null;
}

export type BuildStatus = "queued" | "building" | "ready" | "failed";

export interface BuildObject extends BuildFindings {
  build_id: string;
  connector: string;
  status: BuildStatus;
  /** Percent. */
  progress: number;
  created_at: string;
  completed_at: string | null;
}

/** A custom connector in a list. */
export interface CustomConnectorItem {
  connector: string;
  name: string;
  description: string;
  base_url: string;
  auth: CustomAuth;
  /** How many. */
  operations: number;
  version: number;
  created_by: string | null;
  updated_at: string;
}

export interface ConnectorVersionObject {
  version: number;
  created_at: string;
  created_by: string | null;
  /** Null of the first, and where it is not known. */
  changes: ConnectorChanges | null;
  /** Deployed versions of workflows that keep this build. */
  used_by: { workflow_id: string; name: string; version: number }[];
}

export interface CustomConnectorObject extends Omit<CustomConnectorItem, "operations"> {
  created_at: string;
  operations: ConnectorRoute[];
  /** Newest first. */
  versions: ConnectorVersionObject[];
  used_by: ConnectionUse[];
}

/** What came of one call of an operation by hand, redacted. */
export interface TriedOperation {
  outcome: "succeeded" | "failed";
  /**
   * In order; `after_ms` is when each was sent, `status` null where no answer came. Credentials stand in none of it.
   */
  requests: { method: string; url: string; status: number | null; after_ms: number; duration_ms: number }[];
  output: unknown;
  error: { code: StepErrorCode; reason: StepErrorReason; message: string } | null;
  duration_ms: number;
}
