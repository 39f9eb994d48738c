-- add_run_jobs: adds a job of Graphile Worker for each run that was admitted, as one that the worker has fetched already.
--
-- `of_pool`: the worker, which executes the jobs. `run_ids` and `tickets`: the runs, and the number of the admission of each.
-- Returns the ids of the jobs, in the same order.
-- Locks: none of rows that others read; the caller holds those of the runs.
-- Called by: admit_runs, `lib/domain/runs/execute/admit-runs`.
-- SQL because: the admission decides which worker executes a run, so there is nothing to fetch. Graphile Worker's own add_jobs
-- notifies, and fetching is one more statement and twice the index entries of a job.
create or replace function add_run_jobs(of_pool text, run_ids uuid[], tickets bigint[]) returns bigint[]
language plpgsql as $$
declare
  of_task integer := (select t.id from graphile_worker._private_tasks t where t.identifier = 'execute_run');
  job_ids bigint[];
begin
  if of_task is null then
    insert into graphile_worker._private_tasks (identifier) values ('execute_run') on conflict do nothing;
    select t.id into of_task from graphile_worker._private_tasks t where t.identifier = 'execute_run';
  end if;
  -- A job has one attempt: what follows a loss is decided by the run, which gets another job.
  with added as (
    insert into graphile_worker._private_jobs (task_id, payload, max_attempts, attempts, locked_by, locked_at)
      select of_task, json_build_object('run_id', g.run_id, 'ticket', g.ticket), 1, 1, of_pool, now()
      from unnest(run_ids, tickets) as g (run_id, ticket)
      returning id, (payload ->> 'ticket')::bigint as ticket
  )
  select array_agg(a.id order by g.place) into job_ids
    from unnest(tickets) with ordinality as g (ticket, place) join added a on a.ticket = g.ticket;
  return job_ids;
end $$;
