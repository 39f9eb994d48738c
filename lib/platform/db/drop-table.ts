import pg from "pg";
import type { Db } from "#lib/platform/db/pool";

/** How long a drop waits for users of the table: every later reader waits behind the drop. */
const LOCK_TIMEOUT_MS = 200;

/**
 * Drops a table whose name was read from the catalog.
 * @throws an error whose code is lock_not_available when the table is in use for longer than 200 ms
 */
export async function dropTable(tx: Db, name: string): Promise<void> {
  await tx.query({ text: `set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'` });
  await tx.query({ text: `drop table if exists ${pg.escapeIdentifier(name)}` });
}
