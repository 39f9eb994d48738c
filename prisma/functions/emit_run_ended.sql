-- emit_run_ended: writes what follows from the end of a run: its outbound event, `run.<status>`, and the events of failure
-- triggers. Tests of drafts and dry runs write none: they concern only the person at the editor.
--
-- Locks: none beyond the new rows.
-- Called by: its triggers on runs.
-- SQL because: runs end in many statements; the trigger sees each of them (see emit_event).
create or replace function emit_run_ended() returns trigger language plpgsql as $$
begin
  if has_listener(new.workspace_id, 'run.' || new.status) then
    perform emit_event(new.workspace_id, 'run.' || new.status, run_event_data(new));
  end if;
  if new.status = 'failed' or new.status = 'timed_out' then
    perform note_failure(new);
  end if;
  return null;
end $$;
create or replace trigger runs_emit_ended after update of status on runs for each row
  when (old.completed_at is null and new.completed_at is not null and new.source <> 'test')
  execute function emit_run_ended();
-- A run over a limit is failed from the start.
create or replace trigger runs_emit_ended_at_once after insert on runs for each row
  when (new.status = 'failed' and new.source <> 'test')
  execute function emit_run_ended();
