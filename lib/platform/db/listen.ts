import pg from "pg";

/** The functions of a connection that listens. */
type Listener = Pick<pg.ClientBase, "query">;

/** Makes PostgreSQL send the notices of a channel to this connection, until it ends. */
export async function listenOn(client: Listener, channel: string): Promise<void> {
  await client.query(`listen ${pg.escapeIdentifier(channel)}`);
}

/** Asks for an answer, so that a silently dead connection is noticed. */
export async function ping(client: Listener): Promise<void> {
  await client.query("select 1");
}
