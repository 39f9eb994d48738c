-- remove_left_run_jobs: removes the jobs of runs that are no longer admitted. Usually their worker has done so.
--
-- Locks: the rows of these jobs, until the transaction ends; those that are locked are skipped.
-- Called by: `lib/domain/runs/recover/reconcile-runs`.
-- SQL because: Graphile Worker's own functions remove no job that a worker has fetched.
create or replace function remove_left_run_jobs() returns void language sql as $$
  delete from graphile_worker._private_jobs where id in (
    select j.id from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'execute_run' and not exists (
      select 1 from run_queue q
      where q.run_id = (j.payload ->> 'run_id')::uuid and q.ticket = (j.payload ->> 'ticket')::bigint)
    for update of j skip locked);
$$;
