-- note_failure: writes an event for each workflow that starts when a run like this one fails. A failure trigger names
-- workflows, or takes all of its workspace. A run of a workflow with a failure trigger writes none, and neither does what
-- such a run started: else a failure could start itself again and again.
--
-- Locks: none beyond the new rows.
-- Called by: emit_run_ended.
-- SQL because: runs end in many statements; the event is of the same commit as the end of the run (see emit_run_ended).
create or replace function note_failure(of_run runs) returns void language sql as $$
  insert into failure_events (run_id, subscription_id, workspace_id)
    select of_run.id, s.id, s.workspace_id
      from trigger_subscriptions s
      where s.workspace_id = of_run.workspace_id and s.kind = 'failure' and s.is_active
        and coalesce(s.config -> 'workflow_ids' ? of_run.workflow_id::text, true)
        and not exists (
          with recursive line as (
            select of_run.workflow_id as workflow_id, of_run.parent_run_id as parent_run_id
            union all
            select r.workflow_id, r.parent_run_id from line l
              join runs r on r.id = l.parent_run_id and r.workspace_id = of_run.workspace_id
          )
          select from line l
            join trigger_subscriptions f on f.workspace_id = of_run.workspace_id and f.workflow_id = l.workflow_id
            where f.kind = 'failure')
    on conflict do nothing
$$;
