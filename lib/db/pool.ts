import pg from "pg";
import { env } from "#lib/config/env";
import { log } from "#lib/config/log";

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
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as "text")) as pg.CustomTypesConfig["getTypeParser"],
};

/** Options every connection of ours shares. Prisma writes timestamps without a zone, so the session's must be UTC. */
export function connectionOptions(connectionString: string): pg.PoolConfig {
  return { connectionString, types, options: "-c timezone=UTC", connectionTimeoutMillis: 5_000, keepAlive: true };
}

// `next dev` loads modules anew on every change; the pool outlives them.
const shared = globalThis as { signalboxPool?: pg.Pool };

/** The process's one connection pool. */
export function db(): pg.Pool {
  if (!shared.signalboxPool) {
    const pool = new pg.Pool({ ...connectionOptions(env().DATABASE_URL), max: 12 });
    pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
    shared.signalboxPool = pool;
  }
  return shared.signalboxPool;
}

/** Ends the pool, so that a process or a test file can. */
export async function closeDb(): Promise<void> {
  const pool = shared.signalboxPool;
  shared.signalboxPool = undefined;
  await pool?.end();
}
