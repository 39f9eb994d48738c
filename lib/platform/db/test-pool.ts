import { db } from "#lib/platform/db/pool";

const PATIENCE_MS = 200;

/**
 * Takes every connection of the pool, for tests of an exhausted pool: the next caller waits 200 ms instead of seconds.
 * @returns a function that returns the connections
 */
export async function exhaustPool(): Promise<() => void> {
  const { options } = db();
  const { connectionTimeoutMillis } = options;
  const held = await Promise.all(Array.from({ length: options.max }, () => db().connect()));
  options.connectionTimeoutMillis = PATIENCE_MS;
  return () => {
    options.connectionTimeoutMillis = connectionTimeoutMillis;
    for (const client of held) client.release();
  };
}
