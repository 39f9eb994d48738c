import { float8, integer, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { IS_LIVE_WORKER } from "#lib/platform/db/live-worker";
import { db } from "#lib/platform/db/pool";

interface QueueState {
  queue: string;
  workspaces: number;
  /** Live workers that serve it. */
  workers: number;
  /** Due runs that no worker has taken. */
  waiting: number;
  oldest_seconds: number;
}

const IS_SERVED = `exists (select 1 from worker_heartbeats
  where ${IS_LIVE_WORKER} and not quarantine and (queues is null or w.queue = any(queues)))`;

const selectQueues = defineStatement({
  name: "list_queues",
  row: { queue: text, workspaces: integer, workers: integer, waiting: integer, oldest_seconds: float8 },
  sql: `select w.queue, count(*)::integer as workspaces,
          (select count(*) from worker_heartbeats where ${IS_LIVE_WORKER} and not quarantine
            and (queues is null or w.queue = any(queues)))::integer as workers,
          coalesce(sum(q.waiting), 0)::integer as waiting,
          coalesce(extract(epoch from now() - min(q.oldest)), 0)::float8 as oldest_seconds
        from workspaces w left join (
          select workspace_id, count(*) as waiting, min(run_at) as oldest from run_queue
          where ticket is null and run_at <= now() group by 1
        ) q on q.workspace_id = w.id
        group by w.queue order by w.queue`,
  isPrepared: false,
});

/** Lists the queues that workspaces are in, by name. */
export async function listQueues(): Promise<QueueState[]> {
  return selectQueues.all(db());
}

const selectUnserved = defineStatement({
  name: "list_unserved_queues",
  row: { queue: text },
  sql: `select distinct w.queue from workspaces w where not ${IS_SERVED} order by w.queue`,
  isPrepared: false,
});

/** Lists the queues that workspaces are in and that no live worker serves: their runs wait. */
export async function listUnservedQueues(): Promise<string[]> {
  return (await selectUnserved.all(db())).map((row) => row.queue);
}
