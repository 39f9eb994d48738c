import pg from "pg";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { isDatabaseFault, isServerAway } from "#lib/platform/db/classify-database-error";
import { type ConnectionOptions, prepareSession, statementOptions } from "#lib/platform/db/connection-options";
import { shareInProcess } from "#lib/support/share-in-process";

/** Anything that runs SQL: the pool, or the client of a transaction. */
export interface Db {
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(query: {
    /** Named statements are prepared once per connection; give hot paths a name. */
    name?: string;
    text: string;
    values?: unknown[];
  }): Promise<pg.QueryResult<Row>>;
}

/**
 * A pool that survives lost connections and failovers. Each connection reaches a server that accepts writes. It is
 * closed when the server has become read-only, and when a query was abandoned after `query_timeout`: a half-open
 * connection never answers. pg keeps such connections, and the next caller would have the same trouble.
 */
export function createPool(options: ConnectionOptions & { query_timeout: number }): pg.Pool {
  const { servers, isPooled, onConnect } = options;
  const pool = new pg.Pool({
    ...options,
    onConnect: async (client) => {
      await prepareSession(client, { isPooled });
      await onConnect?.(client);
    },
  });
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  pool.on("connect", (client) => {
    // When it is lost between two statements of a transaction, no one else handles the error, and it would end the
    // process.
    client.on("error", (error) => log.debug({ err: error }, "a database connection was lost"));
    client.query = new Proxy(client.query, {
      apply: (query, self, [first, ...others]) => {
        const result: unknown = Reflect.apply(query, self, [isPooled ? withoutName(first) : first, ...others]);
        if (result instanceof Promise) {
          result.catch((error: unknown) => {
            if (isUnusableAfter(error)) client.end().catch(() => {});
          });
        }
        return result;
      },
    });
  });
  if (servers.length > 1) tryServersInTurn(pool, servers);
  return pool;
}

function isUnusableAfter(error: unknown): boolean {
  return isDatabaseFault(error, "query_timeout") || isDatabaseFault(error, "read_only");
}

/** The next transaction runs on another connection of the pooler, which does not know the statement. */
function withoutName(query: unknown): unknown {
  const isNamed = typeof query === "object" && query !== null && "name" in query && !("submit" in query);
  return isNamed ? { ...query, name: undefined } : query;
}

/** Makes a pool continue with the next server when the present one is away or accepts no writes. */
function tryServersInTurn(pool: pg.Pool, servers: ConnectionOptions["servers"]): void {
  let current = 0;
  const connect = pool.connect.bind(pool);
  const connectInTurn = async (): Promise<pg.PoolClient> => {
    for (let attempt = 1; ; attempt += 1) {
      const tried = current;
      try {
        return await connect();
      } catch (error) {
        if (!isServerAway(error)) throw error;
        // Others that failed on the same server may have moved on already.
        if (current === tried) current = (tried + 1) % servers.length;
        Object.assign(pool.options, servers[current]);
        if (attempt >= servers.length) throw error;
      }
    }
  };
  pool.connect = new Proxy(pool.connect, {
    apply: (_connect, _self, [callback]: Parameters<typeof pool.connect> | []) => {
      const connecting = connectInTurn();
      if (!callback) return connecting;
      connecting.then(
        (client) => callback(undefined, client, client.release),
        (error: Error) => callback(error, undefined, () => {}),
      );
    },
  });
}

/** Longer than any statement of ours takes, including the batches that delete old runs. */
const QUERY_TIMEOUT_MS = 10_000;

const shared = shareInProcess("pool", (): { pool?: pg.Pool } => ({}));

/** Returns the process's one connection pool. */
export function db(): pg.Pool {
  if (!shared.pool) {
    const options = { ...statementOptions(), max: env().DATABASE_POOL_SIZE, query_timeout: QUERY_TIMEOUT_MS };
    shared.pool = createPool(options);
  }
  return shared.pool;
}

/** Ends the pool, so that a process or a test file can end. */
export async function closeDb(): Promise<void> {
  const { pool } = shared;
  delete shared.pool;
  await pool?.end();
}

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
export async function transaction<T>(work: (tx: Db) => Promise<T>): Promise<T> {
  const client = await db().connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

const ATTEMPTS_MAX = 3;

/**
 * Like transaction(), repeated when PostgreSQL ended it to resolve a deadlock: for work that locks several rows which
 * others lock in batches.
 * @param work nothing but SQL, so that it can be repeated
 */
export function repeatableTransaction<T>(work: (tx: Db) => Promise<T>): Promise<T> {
  return repeatAfterDeadlock(ATTEMPTS_MAX, () => transaction(work));
}

/**
 * Repeats a transaction that PostgreSQL ended to resolve a deadlock.
 * @param attemptsMax how often it may run in total
 */
export async function repeatAfterDeadlock<T>(attemptsMax: number, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || attempt === attemptsMax) throw error;
    }
  }
}

/** The work may have named what failed, with the error of PostgreSQL as the cause. */
function isDeadlock(error: unknown): boolean {
  return isDatabaseFault(error, "deadlock") || (error instanceof Error && isDatabaseFault(error.cause, "deadlock"));
}
