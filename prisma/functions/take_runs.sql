-- take_runs: admit_runs for workers of the previous release, which execute the runs that it returns and know no jobs.
--
-- Returns what admit_runs returns, without the jobs.
-- Locks: those of admit_runs.
-- Called by: workers of the previous release, while an instance is upgraded.
-- SQL because: that release calls it.
create or replace function take_runs(
  of_pool text, wanted integer, own_slots integer, after_workspace uuid, only_new boolean, shares jsonb,
  out run_ids uuid[], out tickets bigint[], out last_workspace uuid, out has_more boolean, out next_in_ms float8
) language plpgsql as $$
begin
  select a.run_ids, a.tickets, a.last_workspace, a.has_more, a.next_in_ms
    into run_ids, tickets, last_workspace, has_more, next_in_ms
    from admit_runs(of_pool, wanted, own_slots, after_workspace, only_new, shares) a;
  perform remove_run_jobs(array[of_pool]);
end $$;
