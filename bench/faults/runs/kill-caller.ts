import type { OutsideCall } from "#bench/stage/outside";
import { killHard } from "#bench/stage/start-host";
import { until } from "#bench/stage/until";
import { db } from "#lib/platform/db/pool";

/**
 * Sends SIGKILL to the worker that made this call, which is the holder of the run's lease. Does nothing if the worker
 * is already gone.
 */
export async function killCaller(call: OutsideCall): Promise<void> {
  await until("the worker that called", async () => {
    if (call.droppedAtMs !== null) return true;
    const { rows } = await db().query<{ pid: number }>({
      text: `select h.pid from runs r join worker_heartbeats h on h.pool_id = r.lease_owner
             where r.id = $1 and r.status = 'running' and h.dead_at is null`,
      values: [call.runId],
    });
    return rows[0] !== undefined && killHard(rows[0].pid);
  }).catch(() => {});
}
