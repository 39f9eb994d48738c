-- What is shown and told of an outage: why a breaker opened, and since when the events of a connection cannot be received.

-- Of the last failure that counted, sanitized and cut.
alter table circuit_breakers add column last_error text;

-- Of the first failure in a row; null while it goes well.
alter table connector_listeners add column failing_since timestamptz(3);

-- A probe that fails opens the breaker again: the outage is the same.
create or replace function emit_circuit_opened() returns trigger language plpgsql as $$
begin
  perform emit_event(new.workspace_id, 'circuit.opened', jsonb_build_object('connector', new.connector,
    'opened_at', new.opened_at, 'retry_at', new.retry_at, 'last_error', new.last_error));
  return null;
end $$;

create function listener_event_data(of_listener connector_listeners) returns jsonb language sql stable as $$
  select jsonb_build_object('connector', c.connector, 'connection_id', c.id, 'connection_name', c.name,
      'last_error', of_listener.last_error, 'failing_since_at', of_listener.failing_since,
      'workflows', (select coalesce(jsonb_agg(jsonb_build_object('workflow_id', w.id, 'workflow_name', w.name) order by w.name), '[]')
        from trigger_subscriptions s join workflows w on w.workspace_id = s.workspace_id and w.id = s.workflow_id
        where s.workspace_id = c.workspace_id and s.connection_id = c.id and s.is_active
          and (of_listener.subscription_id is null or s.id = of_listener.subscription_id)))
    from connections c where c.workspace_id = of_listener.workspace_id and c.id = of_listener.connection_id
$$;

-- Five failures in a row are more than a minute: what passes by itself sooner is nobody's business.
create function emit_listener_failed() returns trigger language plpgsql as $$
begin
  perform emit_event(new.workspace_id, 'listener.failed', listener_event_data(new));
  return null;
end $$;
create trigger connector_listeners_emit_failed after update of failures on connector_listeners for each row
  when (old.failures < 5 and new.failures >= 5) execute function emit_listener_failed();

-- Of what was told to have failed. One that was published anew begins anew, and is not active yet.
create function emit_listener_recovered() returns trigger language plpgsql as $$
begin
  perform emit_event(new.workspace_id, 'listener.recovered', listener_event_data(old) - 'last_error');
  return null;
end $$;
create trigger connector_listeners_emit_recovered after update of failures on connector_listeners for each row
  when (old.failures >= 5 and new.failures = 0 and new.status = 'active') execute function emit_listener_recovered();
