import type { FieldOptionsPage } from "#lib/contract/field-options";
import type { JsonObject } from "#lib/contract/json-schema";
import type { Page } from "#lib/contract/page";
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

/** A connector as a step may name it. */
export interface ListedConnector {
  connector: string;
  name: string;
  description: string;
  kind: "builtin" | "custom";
  operations: string[];
}

export interface ListedOperation {
  connector: string;
  operation: string;
  name: string;
  description: string;
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

/** Calls of a connector that are paused after too many failures (decisions, Connectors: breaker). */
export interface CircuitObject {
  connector: string;
  /** `half_open`: one call is on its way to find out. */
  state: "open" | "half_open";
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

/** What the browser asks of connections and connectors. */
export interface ConnectionOperations {
  /** Everything that a connector step can call, connectors of the workspace's own included. */
  list_connectors: { input: { q?: string }; output: { data: ListedConnector[] } };
  get_connector_operations: {
    input: { connector: string; kind?: "action" | "trigger" };
    output: { data: ListedOperation[] };
  };
  get_operation_schema: {
    input: { connector: string; operation: string };
    output: ListedOperation & { params_schema: JsonObject; output_schema: JsonObject };
  };

  list_connection_kinds: { input: Record<string, never>; output: { data: ConnectorKindObject[] } };
  list_connections: { input: { limit?: number; cursor?: string }; output: Page<ConnectionObject> };
  /** `fields` by the names of the kind. A connection that its other side refuses is stored only with `accept_failure`. */
  create_connection: {
    input: {
      connector: string;
      auth: string;
      name: string;
      fields: Record<string, string>;
      accept_failure?: boolean;
    };
    output: TestedConnection;
  };
  /** Of a way that is signed in at the service: where the browser goes. With `connection_id` it is signed in again. */
  start_authorization: {
    input: {
      connection_id?: string;
      connector?: string;
      auth?: string;
      name?: string;
      fields?: Record<string, string>;
      return_to?: string;
    };
    output: { authorize_url: string };
  };
  rename_connection: { input: { connection_id: string; name: string }; output: ConnectionObject };
  /** Every field anew, secrets too: what a secret may be sent to cannot change without the secret. */
  replace_credentials: {
    input: { connection_id: string; auth: string; fields: Record<string, string>; accept_failure?: boolean };
    output: TestedConnection;
  };
  list_circuits: { input: Record<string, never>; output: { data: CircuitObject[] } };
  retry_listeners: { input: { connection_id: string }; output: { connection_id: string; retried: number } };
  test_connection: { input: { connection_id: string }; output: TestedConnection };
  /** The models that a connection to a model provider offers, by their ids. */
  list_models: { input: { connection_id: string }; output: { data: string[] } };
  /** The choices of a param of an operation or a trigger, as the connection's service lists them now. */
  list_field_options: {
    input: {
      connection_id: string;
      connector: string;
      operation: string;
      field: string;
      params?: JsonObject;
      query?: string;
      cursor?: string;
    };
    output: FieldOptionsPage;
  };
  delete_connection: { input: { connection_id: string }; output: { connection_id: string; deleted: true } };
}
