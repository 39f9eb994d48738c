-- queue_job: queues a job of graphile-worker, with or without the notice to the workers.
--
-- `job`: `identifier`, `key` and `max_attempts`. With `announced_by_caller` in it the caller sends the notice once the job
-- is committed (`lib/platform/jobs/announce-jobs`); if that notice is lost, a worker finds the job with its next poll.
-- Raises an exception when the job was not queued.
-- Locks: the job's row.
-- Called by: create_run.
-- SQL because: the job is written in the transaction of what it is for, without a round trip.
--
-- This is the only code that touches graphile-worker's private tables: its own functions always send a notice, so the job
-- is written as they write it (a test in `lib/platform/jobs/announce-jobs.test` compares the two). A transaction that has
-- sent a NOTIFY holds a lock of the whole database until its commit has reached the disk, so the commits of all callers
-- would reach it one after the other: measured with ten callers, a quarter of the runs a second.
create or replace function queue_job(job jsonb, payload json) returns void language plpgsql as $$
begin
  if job ? 'announced_by_caller' then
    insert into graphile_worker._private_jobs (task_id, payload, key, max_attempts)
      select t.id, queue_job.payload, job ->> 'key', (job ->> 'max_attempts')::smallint
      from graphile_worker._private_tasks t where t.identifier = job ->> 'identifier';
    if found then
      return;
    end if;
  end if;
  -- add_job also creates the task if no worker has done so yet. It can answer NULL under contention for one key; a run
  -- without a job would be stuck.
  if (graphile_worker.add_job(job ->> 'identifier', queue_job.payload, job_key := job ->> 'key',
      max_attempts := (job ->> 'max_attempts')::integer)).id is null then
    raise exception 'the job % was not queued', job ->> 'key';
  end if;
end $$;
