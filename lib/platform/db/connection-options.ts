import { readFileSync } from "node:fs";
import { getCACertificates, type ConnectionOptions as TlsOptions } from "node:tls";
import pg from "pg";
import { type DatabaseServer, type DatabaseTls, parseDatabaseUrl } from "#lib/platform/config/database-address";
import { env } from "#lib/platform/config/env";

/** bigint columns here are counters far below 2^53. */
const INT8_OID = 20;
const INT8_ARRAY_OID: number = 1016;
const PARSERS: Readonly<Record<number, (value: string) => unknown>> = {
  [INT8_OID]: Number,
  [INT8_ARRAY_OID]: (value) => (pg.types.getTypeParser(INT8_ARRAY_OID)(value) as string[]).map(Number),
};
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    PARSERS[oid] ?? pg.types.getTypeParser(oid, format as "text")) as pg.CustomTypesConfig["getTypeParser"],
};

/** What a pool or a connection needs to know about its database. */
export interface ConnectionOptions extends pg.PoolConfig {
  /** The servers to try, in this order; `host` and `port` are those of the current one. */
  servers: readonly DatabaseServer[];
  /** True if a transaction pooler may answer: a session's settings, prepared statements and LISTEN do not work there. */
  isPooled: boolean;
}

interface Behavior {
  isPooled?: boolean;
  /** Settings of the session besides the time zone. A pooler gets none: its sessions also serve others. */
  parameters?: Readonly<Record<string, string>>;
}

/** Prisma writes timestamps without a zone, so the session's must be UTC. */
const PARAMETERS = { timezone: "UTC" };

/** Options that all our connections share. */
export function connectionOptions(
  url: string,
  { isPooled = false, parameters = {} }: Behavior = {},
): ConnectionOptions {
  const { servers, user, password, database, tls, options, applicationName = "signalbox" } = parseDatabaseUrl(url);
  const settings = Object.entries({ ...PARAMETERS, ...parameters }).map(([name, value]) => `-c ${name}=${value}`);
  return {
    ...servers[0],
    servers,
    isPooled,
    user,
    password,
    database,
    types,
    application_name: applicationName,
    ...(tls === undefined ? {} : { ssl: tls === null ? false : tlsOptions(tls) }),
    ...(tls?.isDirect ? { sslnegotiation: "direct" } : {}),
    options: [options, ...(isPooled ? [] : settings)].filter((part) => part !== "").join(" "),
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  };
}

/** For statements and transactions: a transaction pooler may be in between. */
export function statementOptions(parameters: Readonly<Record<string, string>> = {}): ConnectionOptions {
  const { DATABASE_URL, DATABASE_URL_DIRECT } = env();
  return connectionOptions(DATABASE_URL, { isPooled: DATABASE_URL_DIRECT !== undefined, parameters });
}

/** For LISTEN, and for locks that outlive a transaction: they belong to one connection of PostgreSQL itself. */
export function sessionOptions(): ConnectionOptions {
  return connectionOptions(env().DATABASE_URL_DIRECT ?? env().DATABASE_URL);
}

function tlsOptions({ mode, rootCertificate, certificate, key }: DatabaseTls): TlsOptions {
  return {
    rejectUnauthorized: mode !== "require",
    ...(rootCertificate ? { ca: readAuthorities(rootCertificate) } : {}),
    ...(certificate ? { cert: readFile("sslcert", certificate) } : {}),
    ...(key ? { key: readFile("sslkey", key) } : {}),
    // The name of the server does not matter with verify-ca: only the CA does.
    ...(mode === "verify-ca" ? { checkServerIdentity: () => undefined } : {}),
  };
}

function readAuthorities(file: string): string | string[] {
  return file === "system" ? getCACertificates("system") : readFile("sslrootcert", file);
}

function readFile(parameter: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${parameter}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Prepares a new connection, and refuses one to a server that accepts no writes: a standby, a primary that was demoted,
 * or one whose disk is full. Poolers refuse settings of the session while connecting, but keep the time zone of each
 * client when it is set later.
 * @throws Error that counts as the fault read_only
 */
export async function prepareSession(client: pg.ClientBase, { isPooled }: { isPooled: boolean }): Promise<void> {
  if (isPooled) await client.query("set timezone = 'UTC'");
  const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
  if (rows[0]?.transaction_read_only === "on") throw new Error("The database server accepts no writes");
}
