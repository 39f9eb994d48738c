import pg from "pg";
import { limitLockWait } from "#lib/platform/db/limit-lock-wait";
import type { Db } from "#lib/platform/db/pool";

/**
 * Drops a table whose name was read from the catalog.
 * @throws an error whose code is lock_not_available when the table is in use for longer than 20 ms
 */
export async function dropTable(tx: Db, name: string): Promise<void> {
  await limitLockWait(tx);
  await tx.query({ text: `drop table if exists ${pg.escapeIdentifier(name)}` });
}
