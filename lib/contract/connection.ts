import type { JsonObject } from "#lib/contract/json-schema";
import type { ListenerMode, ListenerStatus } from "#lib/contract/trigger";

/** A connection's state as its last use or test left it (decisions, Connections). */
export const CONNECTION_STATUSES = ["connected", "expired", "failed"] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** How a form shows a field, and whether its value is ever shown again. */
export type ConnectionFieldKind = "text" | "secret" | "lines" | "choice";

/** One field of the form that makes a connection. */
export interface ConnectionFieldObject {
  name: string;
  label: string;
  kind: ConnectionFieldKind;
  required: boolean;
  help: string | null;
  placeholder: string | null;
  default: string | null;
  /** Of a choice. */
  options: { value: string; label: string }[];
}

/** A connector that connections can be made to, with the ways to authenticate there. */
export interface ConnectorKindObject {
  connector: string;
  name: string;
  description: string;
  /** Whether its connections can serve LLM steps. */
  serves_models: boolean;
  auths: {
    auth: string;
    name: string;
    /** True when a person signs in at the service; start_authorization begins. */
    signs_in: boolean;
    fields: ConnectionFieldObject[];
  }[];
  /** What can start a workflow there. */
  triggers: ConnectorTriggerObject[];
}

/** An event of a connector, as the form of a trigger offers it. */
export interface ConnectorTriggerObject {
  event: string;
  name: string;
  description: string;
  /** JSON Schema of the trigger's `params`; null where it takes none. */
  params_schema: JsonObject | null;
  /** `data` of such an event, for whoever tests a workflow before one came. */
  example: JsonObject;
}

/** A connection as the web application shows it: never its secrets. */
export interface ConnectionObject {
  connection_id: string;
  connector: string;
  name: string;
  auth: string;
  /** True when it was signed in at the service, and can be again. */
  signs_in: boolean;
  status: ConnectionStatus;
  last_error: string | null;
  /** When what was signed in ends and cannot be renewed; null where it lasts, or nobody knows. */
  ends_at: string | null;
  /** The fields that are no secrets, by name. */
  settings: Record<string, string>;
  /** By the names of the secret fields: the last characters of each, enough to tell two apart. */
  secret_hints: Record<string, string>;
  /** Where the credentials are sent, and nowhere else: origins, perhaps with `*.` for any subdomain. */
  origins: string[];
  /** How events come from it, where triggers listen; empty where none does. */
  listeners: ConnectionListener[];
  used_by: ConnectionUse[];
  created_by: string | null;
  created_at: string;
  updated_at: string;
  last_used_at: string | null;
}

/** `half_open`: one call is on its way to find out. */
export const PAUSED_CIRCUIT_STATES = ["open", "half_open"] as const;

/** Calls of a connector that are paused after too many failures (decisions, Connectors: breaker). */
export interface CircuitObject {
  connector: string;
  state: (typeof PAUSED_CIRCUIT_STATES)[number];
  opened_at: string;
  /** From then on the next call decides. */
  retry_at: string;
  /** That opened it. */
  failures: number;
  last_error: string | null;
}

/** decisions, Connector events. */
export interface ConnectionListener {
  mode: ListenerMode | null;
  status: Exclude<ListenerStatus, "off">;
  error: string | null;
  /** Of one that failed: since when, and when it is tried again. */
  failing_since: string | null;
  retry_at: string | null;
  events: string[];
}

/** A workflow that names the connection, in its draft, in its deployed version, or in both. */
export interface ConnectionUse {
  workflow_id: string;
  name: string;
  draft: boolean;
  deployed: boolean;
}

/** What the other side said. `untested`: there is nothing that could be asked. */
export interface ConnectionTest {
  outcome: "ok" | "failed" | "untested";
  message: string;
}

export interface TestedConnection {
  connection: ConnectionObject;
  test: ConnectionTest;
}
