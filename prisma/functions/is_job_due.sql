-- is_job_due: returns true if a job of graphile-worker waits for a worker.
--
-- Locks: none.
-- Called by: `lib/platform/jobs/queue-states`.
-- SQL because: Graphile Worker's own view of its jobs does not have the column that its index is on.
create or replace function is_job_due() returns boolean language sql stable as $$
  select exists (select 1 from graphile_worker._private_jobs where is_available and run_at <= now());
$$;
