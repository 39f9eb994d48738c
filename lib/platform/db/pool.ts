import pg from "pg";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";

/** Anything that runs SQL: the pool, or the client of a transaction. */
export interface Db {
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(query: {
    /** Named statements are prepared once per connection; give hot paths a name. */
    name?: string;
    text: string;
    values?: unknown[];
  }): Promise<pg.QueryResult<Row>>;
}

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

/** Options that all our connections share. Prisma writes timestamps without a zone, so the session's must be UTC. */
export function connectionOptions(connectionString: string): pg.PoolConfig {
  return { connectionString, types, options: "-c timezone=UTC", connectionTimeoutMillis: 5_000, keepAlive: true };
}

/**
 * A pool that survives lost connections and abandons a query after `query_timeout`: a half-open connection never
 * answers. pg keeps such a connection with the query still on it, and the next caller would wait just as long. Here it
 * is closed.
 */
export function createPool(options: pg.PoolConfig & { query_timeout: number }): pg.Pool {
  const pool = new pg.Pool(options);
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  pool.on("connect", (client) => {
    // When it is lost between two statements of a transaction, no one else handles the error, and it would end the
    // process.
    client.on("error", (error) => log.debug({ err: error }, "a database connection was lost"));
    client.query = new Proxy(client.query, {
      apply: (query, self, args) => {
        const result: unknown = Reflect.apply(query, self, args);
        if (result instanceof Promise) {
          result.catch((error: unknown) => {
            if (isDatabaseFault(error, "query_timeout")) client.end().catch(() => {});
          });
        }
        return result;
      },
    });
  });
  return pool;
}

/** Longer than any statement of ours takes, including the batches that delete old runs. */
const QUERY_TIMEOUT_MS = 10_000;

// `next dev` reloads modules on every change; the pool outlives them.
const shared = globalThis as { signalboxPool?: pg.Pool };

/** Returns the process's one connection pool. */
export function db(): pg.Pool {
  if (!shared.signalboxPool) {
    const options = { ...connectionOptions(env().DATABASE_URL), max: 12, query_timeout: QUERY_TIMEOUT_MS };
    shared.signalboxPool = createPool(options);
  }
  return shared.signalboxPool;
}

/** Ends the pool, so that a process or a test file can end. */
export async function closeDb(): Promise<void> {
  const pool = shared.signalboxPool;
  shared.signalboxPool = undefined;
  await pool?.end();
}
