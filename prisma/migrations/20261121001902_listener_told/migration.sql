-- When an outage was told. Failures are counted anew whenever something is asked for anew, what was told stays told.
alter table connector_listeners add column failure_told_at timestamptz(3);
update connector_listeners set failure_told_at = coalesce(failing_since, now()) where failures >= 5;

drop trigger connector_listeners_emit_failed on connector_listeners;
drop trigger connector_listeners_emit_recovered on connector_listeners;
drop function emit_listener_failed();
drop function emit_listener_recovered();

-- Failures that were counted anew also begin a new failing_since; the outage is the one that was told.
create or replace function listener_event_data(of_listener connector_listeners) returns jsonb language sql stable as $$
  select jsonb_build_object('connector', c.connector, 'connection_id', c.id, 'connection_name', c.name,
      'last_error', of_listener.last_error,
      'failing_since_at', least(of_listener.failing_since, of_listener.failure_told_at),
      'workflows', (select coalesce(jsonb_agg(jsonb_build_object('workflow_id', w.id, 'workflow_name', w.name) order by w.name), '[]')
        from trigger_subscriptions s join workflows w on w.workspace_id = s.workspace_id and w.id = s.workflow_id
        where s.workspace_id = c.workspace_id and s.connection_id = c.id and s.is_active
          and (of_listener.subscription_id is null or s.id = of_listener.subscription_id)))
    from connections c where c.workspace_id = of_listener.workspace_id and c.id = of_listener.connection_id
$$;

-- Five failures in a row are more than a minute: what passes by itself sooner is nobody's business.
create function tell_listener_failed() returns trigger language plpgsql as $$
begin
  perform emit_event(new.workspace_id, 'listener.failed', listener_event_data(new));
  new.failure_told_at := clock_timestamp();
  return new;
end $$;
create trigger connector_listeners_tell_failed before update of failures on connector_listeners for each row
  when (new.failures >= 5 and new.failure_told_at is null) execute function tell_listener_failed();

-- A turn that went well, of what was told to have failed. What is polled has asked its service nothing when it ceases to
-- be pending.
create function tell_listener_recovered() returns trigger language plpgsql as $$
begin
  perform emit_event(new.workspace_id, 'listener.recovered', listener_event_data(old) - 'last_error');
  new.failure_told_at := null;
  return new;
end $$;
create trigger connector_listeners_tell_recovered before update of failures on connector_listeners for each row
  when (old.failure_told_at is not null and new.status = 'active' and new.last_error is null
    and not (old.status = 'pending' and new.mode = 'polling'))
  execute function tell_listener_recovered();
