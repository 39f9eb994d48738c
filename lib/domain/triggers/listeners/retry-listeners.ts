import { getConnectionRow } from "#lib/domain/connections/get-connection";
import { uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const makeDue = defineStatement({
  name: "retry_listeners",
  params: { workspaceId: uuid, connectionId: uuid },
  sql: `update connector_listeners set next_at = clock_timestamp(), updated_at = now()
        where workspace_id = $1 and connection_id = $2 and status = 'failed'`,
  isPrepared: false,
});

/**
 * Retries a connection's failed listeners at once, instead of after their delay.
 * @returns how many are retried
 * @throws ApiError NOT_FOUND, also for a connection of another workspace
 */
export async function retryListeners(workspaceId: string, connectionId: string): Promise<number> {
  await getConnectionRow(db(), workspaceId, connectionId);
  return makeDue.run(db(), { workspaceId, connectionId });
}
