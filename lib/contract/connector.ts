import type { z } from "zod";
import type {
  buildFindingsSchema,
  buildSchema,
  connectorChangesSchema,
  connectorRouteSchema,
  connectorVersionSchema,
  customConnectorItemSchema,
  customConnectorSchema,
  triedOperationSchema,
  validatedConnectorSchema,
} from "#lib/contract/schemas/connector-schema";

/** Where a connector comes from: ours, or made for one workspace. */
export const CONNECTOR_KINDS = ["builtin", "custom"] as const;

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

/** What stopped a build, and what it did without. Pointers are RFC 6901, into the document or into the input. */
export type BuildFindings = z.output<typeof buildFindingsSchema>;

/** An operation of a custom connector, in short. */
export type ConnectorRoute = z.output<typeof connectorRouteSchema>;

/** What a build changes of the one before it, operations by name. */
export type ConnectorChanges = z.output<typeof connectorChangesSchema>;

export type ValidatedConnector = z.output<typeof validatedConnectorSchema>;

export const BUILD_STATUSES = ["queued", "building", "ready", "failed"] as const;
export type BuildStatus = (typeof BUILD_STATUSES)[number];

export type BuildObject = z.output<typeof buildSchema>;

/** A custom connector in a list. */
export type CustomConnectorItem = z.output<typeof customConnectorItemSchema>;

export type ConnectorVersionObject = z.output<typeof connectorVersionSchema>;

export type CustomConnectorObject = z.output<typeof customConnectorSchema>;

/** What came of one call of an operation by hand, redacted. */
export type TriedOperation = z.output<typeof triedOperationSchema>;
