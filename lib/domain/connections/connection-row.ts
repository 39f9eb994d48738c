import {
  CONNECTION_STATUSES,
  type ConnectionListener,
  type ConnectionObject,
  type ConnectionUse,
} from "#lib/contract/connection/connection";
import {
  getAuth,
  settingsOf,
  unsealCredentials,
  usableValues,
} from "#lib/domain/connections/credentials/stored-credentials";
import { log } from "#lib/platform/config/log";
import {
  array,
  bytea,
  enumOf,
  jsonb,
  nullable,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";

/** A row of connections, with its creator's name. */
export const CONNECTION_ROW = {
  id: uuid,
  workspace_id: uuid,
  connector: text,
  name: text,
  status: enumOf(CONNECTION_STATUSES),
  credentials_sealed: bytea,
  last_used_at: nullable(timestamptz),
  last_error: nullable(text),
  created_at: timestamptz,
  updated_at: timestamptz,
  created_by_name: nullable(text),
  listeners: array(jsonb<ConnectionListener>()),
};
export type ConnectionRow = RowOf<typeof CONNECTION_ROW>;

export const CONNECTION_COLUMNS = `c.id, c.workspace_id, c.connector, c.name, c.status, c.credentials_sealed,
  c.last_used_at, c.last_error, c.created_at, c.updated_at,
  (select u.name from users u where u.id = c.created_by) as created_by_name,
  array(select jsonb_build_object('mode', l.mode, 'status', l.status, 'error', l.last_error, 'events', l.events,
          'failing_since', l.failing_since, 'retry_at', case when l.status = 'failed' then l.next_at end)
        from connector_listeners l where l.connection_id = c.id and l.status <> 'off' order by l.created_at) as listeners`;

const HINT_CHARACTERS = 4;
/** The last characters of a shorter secret would reveal too much of it. */
const HINT_FROM_CHARACTERS = 12;

/** Presents everything of a connection except its secrets. */
export function presentConnection(row: ConnectionRow, usedBy: ConnectionUse[]): ConnectionObject {
  return {
    connection_id: row.id,
    connector: row.connector,
    name: row.name,
    status: row.status,
    last_error: row.last_error,
    ...presentCredentials(row),
    listeners: row.listeners.map((listener) => ({
      ...listener,
      failing_since: toIso(listener.failing_since),
      retry_at: toIso(listener.retry_at),
    })),
    used_by: usedBy,
    created_by: row.created_by_name,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

/** Parses a time as PostgreSQL writes it into JSON. */
function toIso(time: string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

type Shown = Pick<ConnectionObject, "auth" | "signs_in" | "ends_at" | "settings" | "secret_hints" | "origins"> &
  Partial<ConnectionObject>;

/**
 * A connection that cannot be decrypted (a lost key, a connector of a newer version) must not hide the others in a
 * list.
 */
function presentCredentials(row: ConnectionRow): Shown {
  try {
    const credentials = unsealCredentials({ workspaceId: row.workspace_id, id: row.id }, row.credentials_sealed);
    const { auth: name, values, tokens } = credentials;
    const auth = getAuth(row.connector, name);
    const secrets = auth.fields.filter((field) => field.kind === "secret" && values[field.name] !== undefined);
    const signsIn = auth.oauth?.grant === "authorization_code";
    return {
      auth: name,
      signs_in: signsIn,
      ends_at: signsIn && tokens?.refreshToken === null ? tokens.expiresAt : null,
      settings: settingsOf(auth, values),
      secret_hints: Object.fromEntries(secrets.map((field) => [field.name, hintOf(values[field.name] ?? "")])),
      origins: auth.origins(usableValues(row.connector, credentials)),
    };
  } catch (error) {
    log.warn({ err: error, connection_id: row.id }, "a connection's credentials cannot be read");
    const last_error = "The credentials cannot be read with this installation's keys. Replace them.";
    const nothing = { auth: "", signs_in: false, ends_at: null, settings: {}, secret_hints: {}, origins: [] };
    return { ...nothing, status: "failed", last_error };
  }
}

function hintOf(secret: string): string {
  return `••••${secret.length < HINT_FROM_CHARACTERS ? "" : secret.slice(-HINT_CHARACTERS)}`;
}
