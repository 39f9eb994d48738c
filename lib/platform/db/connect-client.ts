import pg from "pg";
import { isConnectTimeout, isServerAway } from "#lib/platform/db/classify-database-error";
import { type ConnectionOptions, prepareSession } from "#lib/platform/db/connection-options";

/** Opens one connection outside of a pool, to the first server that accepts writes. The caller ends it. */
export async function connectClient(options: ConnectionOptions): Promise<pg.Client> {
  let failure: unknown;
  for (const server of options.servers) {
    const client = new pg.Client({ ...options, ...server });
    // Without a listener, an error while it connects or ends would end the process.
    client.on("error", () => {});
    try {
      await client.connect();
      await prepareSession(client, options);
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      if (!isServerAway(error)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** How long a start repeats attempts that time out. */
const PATIENCE_MS = 600_000;
/** An attempt gets twice the time of the one before, up to this: on a busy machine, none may succeed in less. */
const ATTEMPT_MAX_MS = 60_000;

/** Opens one connection like `connectClient`, for a start: an attempt that times out is repeated for ten minutes. */
export async function connectPatiently(options: ConnectionOptions, now = () => performance.now()): Promise<pg.Client> {
  const { connectionTimeoutMillis: firstMs = 5_000 } = options;
  let timeoutMs = firstMs;
  return await repeatConnectTimeouts(async () => {
    const connectionTimeoutMillis = timeoutMs;
    timeoutMs = Math.min(timeoutMs * 2, Math.max(firstMs, ATTEMPT_MAX_MS));
    return await connectClient({ ...options, connectionTimeoutMillis });
  }, now);
}

/** Does work again for up to ten minutes if it gets no connection in time. Without a connection it had no effect. */
export async function repeatConnectTimeouts<T>(work: () => Promise<T>, now = () => performance.now()): Promise<T> {
  const startedMs = now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isConnectTimeout(error) || now() - startedMs > PATIENCE_MS) throw error;
    }
  }
}
