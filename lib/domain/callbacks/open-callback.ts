import type { CallbackDelivery, CallbackRequest, CallbackState } from "#lib/core/engine/ports";
import { lockLease } from "#lib/domain/journal/lock-lease";
import { bytea, enumOf, float8, nullable, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/pool";
import { unseal } from "#lib/platform/secrets/seal";

export const CALLBACK_STATUSES = ["waiting", "received", "expired"] as const;

const openOrRead = defineStatement({
  name: "open_callback",
  params: { runId: uuid, nodeId: text, iteration: text, workspaceId: uuid, expiresSeconds: float8 },
  row: {
    status: enumOf(CALLBACK_STATUSES),
    rest_ms: nullable(float8),
    received_at: nullable(timestamptz),
    sealed: nullable(bytea),
  },
  sql: `insert into callbacks as c (run_id, node_id, iteration, workspace_id, opened_at, expires_at)
        select $1, $2, $3, $4, t.at, t.at + make_interval(secs => $5) from (select clock_timestamp() as at) t
        on conflict (run_id, node_id, iteration) do update set
          opened_at = coalesce(c.opened_at, excluded.opened_at),
          expires_at = coalesce(c.expires_at, excluded.expires_at),
          status = case when c.status = 'waiting' and c.expires_at <= excluded.opened_at then 'expired' else c.status end
        returning status, (extract(epoch from expires_at - clock_timestamp()) * 1000)::float8 as rest_ms, received_at,
          sealed`,
});

/** The context that binds a delivery to its step. */
export function callbackContext(runId: string, nodeId: string, iteration: string): string {
  return `callback|${runId}|${nodeId}|${iteration}`;
}

/**
 * Starts the wait of a step of a run that this worker has claimed, once, and reads what has arrived (decisions,
 * Callbacks). The lock of the run orders it with deliveries: one that arrived before counts, and one that arrives after
 * the end of the time is refused.
 * @throws LeaseLost if this worker no longer has the run
 */
export async function openCallback(
  { workspaceId, lease }: { workspaceId: string; lease: { runId: string; token: number } },
  request: CallbackRequest,
): Promise<CallbackState> {
  const { runId } = lease;
  const row = await transaction(async (tx) => {
    await lockLease(tx, lease);
    return openOrRead.one(tx, { runId, workspaceId, ...request });
  });
  if (row.status === "expired") return { status: "expired" };
  if (row.status === "waiting") return { status: "waiting", restMs: Math.max(0, row.rest_ms ?? 0) };
  if (!row.sealed || !row.received_at) throw new Error(`a callback of the run ${runId} has no delivery`);
  const context = callbackContext(runId, request.nodeId, request.iteration);
  const delivery = unseal<CallbackDelivery>(workspaceId, context, row.sealed);
  return { status: "received", delivery, receivedAt: row.received_at };
}
