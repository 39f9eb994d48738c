-- run_event_data: returns what an outbound event says about a run; never its input or its output.
--
-- Locks: none.
-- Called by: emit_run_ended, emit_approval_opened.
-- SQL because: triggers build the event from the row they see.
create or replace function run_event_data(of_run runs) returns jsonb language sql stable as $$
  select jsonb_build_object('run_id', of_run.id, 'workflow_id', of_run.workflow_id,
    'workflow_name', (select w.name from workflows w where w.id = of_run.workflow_id),
    'action_slug', of_run.action_slug, 'action_release_version', of_run.action_release_version,
    'source', of_run.source, 'status', of_run.status, 'correlation_id', of_run.correlation_id,
    'parent_run_id', of_run.parent_run_id, 'error', of_run.error, 'created_at', of_run.created_at,
    'started_at', of_run.started_at, 'completed_at', of_run.completed_at)
$$;
