import type pg from "pg";
import { repeatAfterDeadlock } from "#lib/platform/db/pool";

/**
 * A change that locks several tables can meet a transaction of a running release that uses them in another order.
 * PostgreSQL waits a second before it ends one of the two.
 */
const ATTEMPTS_MAX = 20;

/**
 * Changes the database in one transaction, which is repeated if it ends in a deadlock.
 * @param work nothing but SQL on the client, so that it can be repeated
 */
export function migrationTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  return repeatAfterDeadlock(ATTEMPTS_MAX, async () => {
    await client.query("begin");
    try {
      await work();
      await client.query("commit");
    } catch (error) {
      // This also fails on a lost connection, and must not hide the cause.
      await client.query("rollback").catch(() => {});
      throw error;
    }
  });
}
