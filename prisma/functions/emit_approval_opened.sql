-- emit_approval_opened: writes the outbound event run.waiting_for_approval of a new approval request, but for tests of
-- drafts.
--
-- Locks: none beyond the new rows.
-- Called by: its trigger on approvals.
-- SQL because: the event and the approval are one commit (see emit_event).
create or replace function emit_approval_opened() returns trigger language plpgsql as $$
declare
  of_run runs;
begin
  if not has_listener(new.workspace_id, 'run.waiting_for_approval') then
    return null;
  end if;
  select * into of_run from runs r where r.id = new.run_id;
  if of_run.source <> 'test' then
    perform emit_event(new.workspace_id, 'run.waiting_for_approval', run_event_data(of_run) || jsonb_build_object(
      'status', 'waiting_for_approval', 'approval', jsonb_build_object('id', new.id, 'kind', new.kind,
        'step_id', nullif(new.node_id, ''), 'message', new.message, 'requested_at', new.requested_at,
        'expires_at', new.expires_at)));
  end if;
  return null;
end $$;
create or replace trigger approvals_emit_opened after insert on approvals for each row
  when (new.status = 'pending') execute function emit_approval_opened();
