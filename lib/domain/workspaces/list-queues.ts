import { float8, integer, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { IS_SERVING, QUEUE_STATES } from "#lib/platform/jobs/queue-states";

interface QueueState {
  queue: string;
  workspaces: number;
  /** Live workers that serve it. */
  workers: number;
  /** Due runs that no worker has taken. */
  waiting: number;
  oldest_seconds: number;
}

const selectQueues = defineStatement({
  name: "list_queues",
  row: { queue: text, workspaces: integer, workers: integer, waiting: integer, oldest_seconds: float8 },
  sql: `select queue, workspaces, workers, waiting, oldest_seconds from ${QUEUE_STATES} order by queue`,
  isPrepared: false,
});

/** Lists the queues that workspaces are in, by name. */
export async function listQueues(): Promise<QueueState[]> {
  return selectQueues.all(db());
}

const selectUnserved = defineStatement({
  name: "list_unserved_queues",
  row: { queue: text },
  sql: `select distinct w.queue from workspaces w
        where not exists (select 1 from worker_heartbeats where ${IS_SERVING}) order by w.queue`,
  isPrepared: false,
});

/** Lists the queues that workspaces are in and that no live worker serves: their runs wait. */
export async function listUnservedQueues(): Promise<string[]> {
  return (await selectUnserved.all(db())).map((row) => row.queue);
}
