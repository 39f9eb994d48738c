import type { z } from "zod";
import type { ConnectionFieldKind } from "#lib/contract/connection";
import type { OutgoingRequest, SendRequest } from "#lib/engine/outgoing-request";
import type { ConnectorOperation } from "#lib/engine/ports";

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

/** What a test or a list may use: a `send` that attaches the credentials. */
export interface ConnectionProbe {
  settings: ConnectionValues;
  send: SendRequest;
  signal: AbortSignal;
  now(): Date;
}

/** One way to authenticate with a connector. */
export interface AuthDefinition {
  name: string;
  label: string;
  fields: readonly ConnectionField[];
  /** Where the credentials may go; the client sends them nowhere else. */
  origins(values: ConnectionValues): string[];
  /** Puts the credentials into a request, which stays on its origin. Header names in lower case. */
  sign(request: OutgoingRequest, values: ConnectionValues): OutgoingRequest;
  /**
   * Asks the other side whether it accepts the credentials.
   * @returns what it said, in a sentence; null when there is nothing that could be asked
   * @throws StepError
   */
  test(probe: ConnectionProbe): Promise<string | null>;
}

/** A connector: how to authenticate, and what can be done. */
export interface ConnectorDefinition {
  /** As definitions name it. */
  name: string;
  label: string;
  description: string;
  auths: readonly AuthDefinition[];
  operations: Readonly<Record<string, ConnectorOperation>>;
  /**
   * Present when its connections serve LLM steps by the operation `generate`: the ids of the models it offers.
   * @throws StepError
   */
  listModels?(probe: ConnectionProbe): Promise<string[]>;
}
