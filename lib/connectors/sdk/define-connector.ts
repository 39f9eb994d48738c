import type { z } from "zod";
import type { GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import type { InboxDefinition, TriggerDefinition } from "#lib/connectors/sdk/define-trigger";
import type { OAuthGrant } from "#lib/connectors/sdk/oauth";
import type { OptionsLoader } from "#lib/connectors/sdk/page-options";
import type { ConnectionFieldKind } from "#lib/contract/connection";
import type { OutgoingRequest, SendRequest } from "#lib/core/engine/outgoing-request";

/** What a connection holds: its fields by name, in their normal form; fields left empty are missing. */
export type ConnectionValues = Readonly<Record<string, string>>;

/** One field of a connection; the form, the check and the secrecy of the value follow from it. */
export interface ConnectionField {
  name: string;
  label: string;
  /** A `secret` is never shown again, but for its last characters. */
  kind: ConnectionFieldKind;
  isRequired: boolean;
  help?: string;
  placeholder?: string;
  default?: string;
  /** Of a choice. */
  options?: readonly { value: string; label: string }[];
  /** Checks a value that is there and gives its normal form. */
  schema: z.ZodType<string>;
}

/** The service of a connection, as operations, tests, lists and triggers use it: `send` attaches the credentials. */
export interface ServiceContext {
  /** The fields that are no secrets, and the connector's addresses. */
  settings: ConnectionValues;
  send: SendRequest;
  signal: AbortSignal;
  now(): Date;
  /** What goes with every request on behalf of a step: idempotency key and trace. */
  headers?: Readonly<Record<string, string>>;
}

/** One way to authenticate with a connector. */
export interface AuthDefinition {
  name: string;
  label: string;
  fields: readonly ConnectionField[];
  /** Of a way whose access token is granted and renewed (`oauthAuth` makes one). */
  oauth?: OAuthGrant;
  /** Where the credentials may go; the client sends them nowhere else. */
  origins(values: ConnectionValues): string[];
  /** Puts the credentials into a request, which stays on its origin. Header names in lower case. */
  sign(request: OutgoingRequest, values: ConnectionValues): OutgoingRequest;
  /**
   * Asks the other side whether it accepts the credentials.
   * @returns what it said, in a sentence; null when there is nothing that could be asked
   * @throws StepError
   */
  test(probe: ServiceContext): Promise<string | null>;
}

/**
 * Where a service is reached, by the name of the setting that operations read: a URL, or what makes one of a connection's
 * fields. All of a connector's addresses can be moved to another server (CONNECTOR_BASE_URLS), their paths kept.
 */
export type ServiceAddresses = Readonly<Record<string, string | ((values: ConnectionValues) => string)>>;

/** A connector: how to authenticate, what can be done, and what starts a workflow. */
export interface ConnectorDefinition {
  /** As definitions name it. */
  name: string;
  label: string;
  description: string;
  /** The vendor's documentation of what is used here. */
  docs?: string;
  /** `values` of a connection hold them too, beside its fields. */
  addresses?: ServiceAddresses;
  auths: readonly AuthDefinition[];
  operations: Readonly<Record<string, GuidedOperation>>;
  /** What lists the choices of fields, by the names that `optionsFrom` gives. */
  options?: Readonly<Record<string, OptionsLoader>>;
  /** By the contract's trigger identifiers. */
  triggers?: Readonly<Record<string, TriggerDefinition>>;
  /** How the service brings the events of all triggers that do not poll for themselves. */
  inbox?: InboxDefinition;
  /**
   * Present when its connections serve LLM steps by the operation `generate`: the ids of the models it offers.
   * @throws StepError
   */
  listModels?(probe: ServiceContext): Promise<string[]>;
}
