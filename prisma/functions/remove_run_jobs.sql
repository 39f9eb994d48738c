-- remove_run_jobs: removes the jobs of the runs of workers that have ended. The runs are admitted again with new jobs.
--
-- `pool_ids`: the workers.
-- Locks: the rows of these jobs, until the transaction ends.
-- Called by: `lib/domain/runs/recover/declare-dead`, `worker/execute/heartbeat`.
-- SQL because: Graphile Worker's own functions remove no job that a worker has fetched.
create or replace function remove_run_jobs(pool_ids text[]) returns void language sql as $$
  delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where j.task_id = t.id and t.identifier = 'execute_run' and j.locked_by = any(pool_ids);
$$;
