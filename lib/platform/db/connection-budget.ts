import type pg from "pg";
import type { ProcessRole } from "#lib/platform/config/env";

/** The connections of the process that starts the others and frees the runs of a worker that died. */
export const LAUNCHER_CONNECTIONS = 4;

interface Machine {
  role: ProcessRole;
  /** Worker processes. */
  workers: number;
  /** DATABASE_POOL_SIZE. */
  poolSize: number;
  hasPooler: boolean;
}

export interface ConnectionNeed {
  /** To DATABASE_URL. */
  statements: number;
  /** To DATABASE_URL_DIRECT, or also to DATABASE_URL. */
  sessions: number;
}

/**
 * Returns the connections that a machine opens at most in normal operation. A web process has a pool and a connection
 * that listens; a worker has a pool for runs, one larger than the other, a connection for their jobs, and one for notices and
 * its heartbeat. Behind a pooler, graphile-worker listens on a connection of its own.
 */
export function connectionsOf({ role, workers, poolSize, hasPooler }: Machine): ConnectionNeed {
  if (role === "migrate") return { statements: 0, sessions: 2 };
  const web = role === "worker" ? 0 : 1;
  const working = role === "web" ? 0 : workers;
  return {
    statements: LAUNCHER_CONNECTIONS + web * poolSize + working * (2 * poolSize + 3),
    sessions: web + working * (hasPooler ? 2 : 1),
  };
}

/** How many connections the server allows our role. */
export interface ConnectionLimit {
  connections: number;
  /** The setting that limits them. */
  name:
    | "max_connections minus reserved connections"
    | "the connection limit of the role"
    | "the connection limit of the database";
}

export async function readConnectionLimit(client: pg.ClientBase): Promise<ConnectionLimit> {
  const { rows } = await client.query<{ server: number; role: number; database: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
              - coalesce(current_setting('reserved_connections', true), '0')::int as server,
            (select rolconnlimit from pg_roles where rolname = current_user) as role,
            (select datconnlimit from pg_database where datname = current_database()) as database`,
  );
  const { server = 0, role = -1, database = -1 } = rows[0] ?? {};
  const limits: ConnectionLimit[] = [
    { connections: server, name: "max_connections minus reserved connections" },
    { connections: role, name: "the connection limit of the role" },
    { connections: database, name: "the connection limit of the database" },
  ];
  // -1 is no limit.
  const set = limits.filter(({ connections }) => connections >= 0);
  return set.reduce((lowest, one) => (one.connections < lowest.connections ? one : lowest));
}

/** Says that the server allows fewer connections than a machine needs and what to do, or null if it allows enough. */
export function explainShortage(need: number, { connections, name }: ConnectionLimit): string | null {
  if (!(need > connections)) return null;
  return (
    `This machine opens up to ${need} connections, but PostgreSQL allows only ${connections} (${name}). ` +
    "Raise that limit, lower DATABASE_POOL_SIZE or WORKERS, or use a transaction pooler."
  );
}
