-- tell_listener_failed: writes the outbound event listener.failed, once for each outage. Five failures in a row take more
-- than a minute: a shorter outage is not reported.
--
-- Locks: none beyond the new rows.
-- Called by: its trigger on connector_listeners.
-- SQL because: the event and the listener's state are one commit (see emit_event).
create or replace function tell_listener_failed() returns trigger language plpgsql as $$
begin
  perform emit_event(new.workspace_id, 'listener.failed', listener_event_data(new));
  new.failure_told_at := clock_timestamp();
  return new;
end $$;
create or replace trigger connector_listeners_tell_failed before update of failures on connector_listeners for each row
  when (new.failures >= 5 and new.failure_told_at is null) execute function tell_listener_failed();
