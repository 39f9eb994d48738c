import { wakeParents } from "#lib/domain/runs/notify/wake-parents";
import { RUNS_CHANNEL } from "#lib/domain/runs/notify/watch-runs";
import { exportTraces } from "#lib/domain/runs/traces/export-traces";
import { log } from "#lib/platform/config/log";
import { array, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";

/** Carries ids of runs that ended while a worker may be executing them, one per notice. */
export const RUN_ENDED_CHANNEL = "run_cancelled";

export interface ChangedRun {
  id: string;
  workspaceId: string;
}

const sendNotices = defineStatement({
  name: "notify_runs",
  params: { channels: array(text), payloads: array(text) },
  sql: "select pg_notify(n.channel, n.payload) from unnest($1::text[], $2::text[]) as n (channel, payload)",
});

/**
 * Notifies pages of changed runs. If the runs ended, also notifies the workers, which abort the step in flight, and
 * wakes the parents that wait for them. Called after the commit: NOTIFY inside it would hold a lock of the whole
 * database. A lost notice is made up for by a page's next poll and a worker's next heartbeat.
 */
export async function notifyRuns(runs: readonly ChangedRun[], { haveEnded }: { haveEnded: boolean }): Promise<void> {
  if (runs.length === 0) return;
  if (haveEnded) {
    exportTraces(runs.map(({ id }) => id));
    await wake(runs);
  }
  const notices = runs.flatMap(({ id, workspaceId }) => [
    { channel: RUNS_CHANNEL, payload: `${workspaceId}:${id}` },
    ...(haveEnded ? [{ channel: RUN_ENDED_CHANNEL, payload: id }] : []),
  ]);
  try {
    await sendNotices.run(db(), {
      channels: notices.map((notice) => notice.channel),
      payloads: notices.map((notice) => notice.payload),
    });
  } catch (error) {
    log.debug({ err: error }, "a notice of changed runs was lost");
  }
}

async function wake(runs: readonly ChangedRun[]): Promise<void> {
  try {
    await transaction((tx) =>
      wakeParents(
        tx,
        runs.map((run) => run.id),
      ),
    );
  } catch (error) {
    log.warn({ err: error }, "runs that wait for ended runs were not woken; the reconciler will wake them");
  }
}
