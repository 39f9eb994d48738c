-- tell_listener_recovered: writes the outbound event listener.recovered after the first success of a listener whose
-- failure was reported. A polling listener has not asked its service anything when it stops being pending, so that change
-- is no success.
--
-- Locks: none beyond the new rows.
-- Called by: its trigger on connector_listeners.
-- SQL because: the event and the listener's state are one commit (see emit_event).
create or replace function tell_listener_recovered() returns trigger language plpgsql as $$
begin
  perform emit_event(new.workspace_id, 'listener.recovered', listener_event_data(old) - 'last_error');
  new.failure_told_at := null;
  return new;
end $$;
create or replace trigger connector_listeners_tell_recovered before update of failures on connector_listeners for each row
  when (old.failure_told_at is not null and new.status = 'active' and new.last_error is null
    and not (old.status = 'pending' and new.mode = 'polling'))
  execute function tell_listener_recovered();
