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
  auths: { auth: string; name: string; fields: ConnectionFieldObject[] }[];
}

/** A connection as the web application shows it: never its secrets. */
export interface ConnectionObject {
  connection_id: string;
  connector: string;
  name: string;
  auth: string;
  status: ConnectionStatus;
  last_error: string | null;
  /** The fields that are no secrets, by name. */
  settings: Record<string, string>;
  /** By the names of the secret fields: the last characters of each, enough to tell two apart. */
  secret_hints: Record<string, string>;
  /** Where the credentials are sent, and nowhere else: origins, perhaps with `*.` for any subdomain. */
  origins: string[];
  used_by: ConnectionUse[];
  created_by: string | null;
  created_at: string;
  updated_at: string;
  last_used_at: string | null;
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
