import type { z } from "zod";
import type {
  brokenStepSchema,
  buildFindingsSchema,
  buildSchema,
  connectorChangesSchema,
  connectorRouteSchema,
  connectorVersionSchema,
  customConnectorItemSchema,
  customConnectorSchema,
  documentSummarySchema,
  selectionSchema,
  triedOperationSchema,
  validatedConnectorSchema,
} from "#lib/contract/connector/connector-schema";
import type { catalogAppSchema } from "#lib/contract/workflow/step-catalog-schema";

/** Where a connector comes from: built into Signalbox, or created for one workspace. */
export const CONNECTOR_KINDS = ["builtin", "custom"] as const;

/** How a custom connector authenticates. The credentials themselves belong to a connection. */
export const CUSTOM_AUTHS = [
  "none",
  "api_key",
  "api_keys",
  "bearer",
  "basic",
  "oauth2_client_credentials",
  "oauth2_authorization_code",
] as const;
export type CustomAuth = (typeof CUSTOM_AUTHS)[number];

/** decisions, Connectors. Sizes in bytes. */
export const BUILD_LIMITS = {
  /** The largest published documents have 13 MiB. */
  documentBytes: 20 * 1_048_576,
  operations: 200,
  redirects: 3,
  definitionBytes: 4_194_304,
  /** The number of versions kept in addition to those that published workflows use. */
  versions: 10,
};

export const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"] as const;
export type Method = (typeof METHODS)[number];
export const PARAMETER_PLACES = ["path", "query", "header", "cookie"] as const;
export type ParameterPlace = (typeof PARAMETER_PLACES)[number];

/** The name of a custom connector in nodes and URLs. */
export const CONNECTOR_SLUG = /^[a-z][a-z0-9_-]{0,62}$/;

/** The errors that stopped a build, and its warnings. Pointers are RFC 6901, into the document or into the input. */
export type BuildFindings = z.output<typeof buildFindingsSchema>;

/** A summary of one operation of a custom connector. */
export type ConnectorRoute = z.output<typeof connectorRouteSchema>;

/** The operations that a build adds, changes or removes, by name, compared with the build before it. */
export type ConnectorChanges = z.output<typeof connectorChangesSchema>;

/** What a document contains, whichever of its operations are chosen. */
export type DocumentSummary = z.output<typeof documentSummarySchema>;

/** The operations of a document that become a connector: those with one of the tags, names or paths. */
export type Selection = z.output<typeof selectionSchema>;

/** A step that the changes of a build can break. */
export type BrokenStep = z.output<typeof brokenStepSchema>;

export type ValidatedConnector = z.output<typeof validatedConnectorSchema>;

export const BUILD_STATUSES = ["queued", "building", "ready", "failed"] as const;
export type BuildStatus = (typeof BUILD_STATUSES)[number];
/** The statuses of a build that has not ended. */
export const UNFINISHED_BUILDS = ["queued", "building"] as const satisfies BuildStatus[];

export type BuildObject = z.output<typeof buildSchema>;

/** A custom connector in a list. */
export type CustomConnectorItem = z.output<typeof customConnectorItemSchema>;

export type ConnectorVersionObject = z.output<typeof connectorVersionSchema>;

export type CustomConnectorObject = z.output<typeof customConnectorSchema>;

/** The redacted result of calling an operation by hand. */
export type TriedOperation = z.output<typeof triedOperationSchema>;

/** A service as the step picker offers it: a connector with its operations, its triggers and the connections to it. */
export type CatalogApp = z.output<typeof catalogAppSchema>;
