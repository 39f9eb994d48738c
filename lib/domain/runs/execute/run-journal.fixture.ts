import type { RunStatus } from "#lib/contract/run/run";
import type { StoredJournalEvent } from "#lib/domain/journal/read-events";
import { db } from "#lib/platform/db/pool";

/** For tests: appends to a run's journal like a worker, but without a worker. */
export async function addEvents(
  workspaceId: string,
  runId: string,
  events: (Pick<StoredJournalEvent, "kind" | "nodeId"> & Partial<StoredJournalEvent>)[],
): Promise<void> {
  for (const event of events) {
    await db().query(
      `insert into execution_events (run_id, workspace_id, node_id, iteration, kind, attempt, at, duration_ms, input_data,
         output_data, error)
       values ($1, $2, $3, $4, $5, $6, coalesce($7, clock_timestamp()), $8, $9, $10, $11)`,
      [
        runId,
        workspaceId,
        event.nodeId,
        event.iteration ?? "",
        event.kind,
        event.attempt ?? 1,
        event.at ?? null,
        event.durationMs ?? null,
        event.inputData === undefined ? null : JSON.stringify(event.inputData),
        event.outputData === undefined ? null : JSON.stringify(event.outputData),
        event.error === undefined ? null : JSON.stringify(event.error),
      ],
    );
  }
}

/** For tests: sets a run's state without the worker that would set it. */
export async function setRun(runId: string, status: RunStatus, output: unknown = null): Promise<void> {
  const isDone = ["succeeded", "failed", "cancelled", "timed_out"].includes(status);
  await db().query(
    // A run that is cancelled at once must not end before it started.
    `update runs set status = $2, output = $3,
       started_at = case when $4 then created_at + interval '5 milliseconds'
         else least(created_at + interval '5 milliseconds', clock_timestamp()) end,
       completed_at = case when $4 then created_at + interval '25 milliseconds' end where id = $1`,
    [runId, status, output === null ? null : JSON.stringify(output), isDone],
  );
}
