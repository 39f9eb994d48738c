import type pg from "pg";

/**
 * Prepares a new connection, and refuses one to a server that accepts no writes: a standby, a primary that was demoted,
 * or one whose disk is full. Poolers refuse settings of the session while connecting, but keep the time zone of each
 * client when it is set later.
 * @throws Error that counts as the fault read_only
 */
export async function prepareSession(client: pg.ClientBase, { isPooled }: { isPooled: boolean }): Promise<void> {
  if (isPooled) await client.query("set timezone = 'UTC'");
  const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
  if (rows[0]?.transaction_read_only === "on") throw new Error("The database server accepts no writes");
}
