import { uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const callRecheck = defineStatement({
  name: "recheck_listeners",
  params: { workspaceId: uuid, connectionId: uuid },
  sql: "select recheck_listeners($1, $2)",
  isPrepared: false,
});

/**
 * Makes a worker compare what a connection's triggers want with what the service is subscribed to. Call it in the
 * transaction that pauses, deletes or moves a trigger, or replaces the connection's credentials.
 */
export async function recheckListeners(tx: Db, workspaceId: string, connectionId: string): Promise<void> {
  await callRecheck.run(tx, { workspaceId, connectionId });
}
