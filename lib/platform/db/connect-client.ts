import pg from "pg";
import { isServerAway } from "#lib/platform/db/classify-database-error";
import type { ConnectionOptions } from "#lib/platform/db/connection-options";
import { prepareSession } from "#lib/platform/db/prepare-session";

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
