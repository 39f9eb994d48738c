import { IS_LIVE_WORKER } from "#lib/platform/db/live-worker";

/** Condition on a row of `worker_heartbeats`: the worker is alive and serves the queue of the workspace `w`. */
export const IS_SERVING = `${IS_LIVE_WORKER} and not quarantine and (queues is null or w.queue = any(queues))`;

/**
 * The queues that workspaces are in: how many workspaces, the live workers that serve each, the due runs that no worker
 * has taken, and how long the oldest of them has been due. PostgreSQL leaves out what a statement does not select.
 */
export const QUEUE_STATES = `(
  select w.queue, count(*)::integer as workspaces,
    (select count(*) from worker_heartbeats where ${IS_SERVING})::integer as workers,
    coalesce(sum(q.waiting), 0)::integer as waiting,
    coalesce(extract(epoch from now() - min(q.oldest)), 0)::float8 as oldest_seconds
  from workspaces w left join (
    select workspace_id, count(*) as waiting, min(run_at) as oldest from run_queue
    where ticket is null and run_at <= now() group by 1
  ) q on q.workspace_id = w.id
  group by w.queue) states`;

/** A job of graphile-worker is `running`, `waiting` for its time or a free place, or `failed` without another attempt. */
export const JOB_STATE =
  "case when locked_at is not null then 'running' when attempts < max_attempts then 'waiting' else 'failed' end";

/** SQL condition: a run waits in the queue for a worker. In two parts, so that each has an index. */
export const IS_RUN_DUE = `exists (select 1 from run_queue where ticket is null and not is_later and not is_suspect)
  or exists (select 1 from run_queue where is_later and run_at <= now())`;

/** SQL condition: a job of graphile-worker is due. */
export const IS_JOB_DUE = "is_job_due()";
