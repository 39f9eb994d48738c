import type { z } from "zod";
import type { GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import type { InboxDefinition, TriggerDefinition } from "#lib/connectors/sdk/define-trigger";
import type { OAuthGrant } from "#lib/connectors/sdk/oauth";
import type { OptionsLoader } from "#lib/connectors/sdk/page-options";
import type { ConnectionFieldKind } from "#lib/contract/connection/connection";
import type { OutgoingRequest, SendRequest } from "#lib/core/engine/outgoing-request";

/** The values of a connection by field name, normalized; empty fields are missing. */
export type ConnectionValues = Readonly<Record<string, string>>;

/** An option of a `choice` field. */
export interface ConnectionFieldOption {
  value: string;
  label: string;
  /** What the form enters into other fields, by name, when a person chooses the option. */
  fills?: Readonly<Record<string, string>>;
  /** The documentation to read before choosing it. */
  docs?: string;
}

/** A field of a connection. The form, the validation and the secrecy of the value follow from it. */
export interface ConnectionField {
  name: string;
  label: string;
  /** A `secret` is never shown again except for its last characters. */
  kind: ConnectionFieldKind;
  isRequired: boolean;
  help?: string;
  placeholder?: string;
  default?: string;
  /** The options of a `choice` field. */
  options?: readonly ConnectionFieldOption[];
  /** Validates a given value and returns its normalized form. */
  schema: z.ZodType<string>;
}

/**
 * The service of a connection, as operations, tests, option loaders and triggers use it: `send` attaches the
 * credentials.
 */
export interface ServiceContext {
  /** The fields that are not secret, and the connector's addresses. */
  settings: ConnectionValues;
  send: SendRequest;
  signal: AbortSignal;
  now(): Date;
  /** Headers that every request of a step carries: idempotency key and trace. */
  headers?: Readonly<Record<string, string>>;
}

/** A method to authenticate with a connector. */
export interface AuthDefinition {
  name: string;
  label: string;
  fields: readonly ConnectionField[];
  /** Set if an access token is granted and renewed (see `oauthAuth`). */
  oauth?: OAuthGrant;
  /** The origins that may receive the credentials; the client sends them nowhere else. */
  origins(values: ConnectionValues): string[];
  /** Puts the credentials into a request without changing its origin. Header names are in lower case. */
  sign(request: OutgoingRequest, values: ConnectionValues): OutgoingRequest;
  /**
   * Asks the service whether it accepts the credentials.
   * @returns the result in one sentence, or null if there is nothing to call
   * @throws StepError
   */
  test(probe: ServiceContext): Promise<string | null>;
}

/**
 * The URLs of a service, by the name of the setting that operations read. Each is a URL, or a function that builds one
 * from a connection's fields. An operator can move all addresses of a connector to another server
 * (CONNECTOR_BASE_URLS); their paths are kept.
 */
export type ServiceAddresses = Readonly<Record<string, string | ((values: ConnectionValues) => string)>>;

/** A connector: how to authenticate, its operations, and its triggers. */
export interface ConnectorDefinition {
  /** The name in workflow definitions. */
  name: string;
  label: string;
  description: string;
  /** Words for the service that do not appear in its name: what people type to find it. */
  keywords: string;
  /** The vendor's documentation of the API used here. */
  docs?: string;
  /** The connection's `values` contain these in addition to its fields. */
  addresses?: ServiceAddresses;
  auths: readonly AuthDefinition[];
  operations: Readonly<Record<string, GuidedOperation>>;
  /** Loaders for the options of fields, by the names used in `optionsFrom`. */
  options?: Readonly<Record<string, OptionsLoader>>;
  /** Triggers by the contract's identifiers. */
  triggers?: Readonly<Record<string, TriggerDefinition>>;
  /** Receives the events of all triggers that do not poll for themselves. */
  inbox?: InboxDefinition;
  /**
   * Returns the ids of the models on offer. Present if connections of this connector serve LLM steps through the
   * operation `generate`.
   * @throws StepError
   */
  listModels?(probe: ServiceContext): Promise<string[]>;
}
