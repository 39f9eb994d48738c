import type { ProcessRole } from "#lib/platform/config/env";
import { connectPatiently } from "#lib/platform/db/connect-client";
import { connectionsOf, explainShortage, readConnectionLimit } from "#lib/platform/db/connection-budget";
import { connectionOptions } from "#lib/platform/db/connection-options";

/**
 * Compares the number of connections that this machine will open with the number that PostgreSQL allows. Does not count
 * connections through a pooler, because the pooler limits them.
 * @param url PostgreSQL, or a pooler if DATABASE_URL_DIRECT is set
 * @returns what to change, or null
 */
export async function findConnectionShortage(url: string, role: ProcessRole): Promise<string | null> {
  const { DATABASE_URL_DIRECT: direct, DATABASE_POOL_SIZE: poolSize, WORKERS: workers } = process.env;
  const client = await connectPatiently(connectionOptions(direct || url));
  try {
    const machine = {
      role,
      workers: Number(workers || 1),
      poolSize: Number(poolSize || 12),
      hasPooler: Boolean(direct),
    };
    const { statements, sessions } = connectionsOf(machine);
    return explainShortage(direct ? sessions : statements + sessions, await readConnectionLimit(client));
  } finally {
    await client.end();
  }
}
