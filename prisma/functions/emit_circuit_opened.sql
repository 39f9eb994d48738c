-- emit_circuit_opened: writes the outbound event circuit.opened. A failed probe opens the breaker again and writes none:
-- it is the same outage. A breaker of tests writes none.
--
-- Locks: none beyond the new rows.
-- Called by: its trigger on circuit_breakers.
-- SQL because: the event and the breaker's state are one commit (see emit_event).
create or replace function emit_circuit_opened() returns trigger language plpgsql as $$
begin
  perform emit_event(new.workspace_id, 'circuit.opened', jsonb_build_object('connector', new.connector,
    'connection_id', new.connection_id, 'origin', new.origin,
    'opened_at', new.opened_at, 'retry_at', new.retry_at, 'last_error', new.last_error));
  return null;
end $$;
create or replace trigger circuit_breakers_emit_opened after update of state on circuit_breakers for each row
  when (old.state = 'closed' and new.state = 'open' and not new.is_test) execute function emit_circuit_opened();
