-- listener_event_data: returns what an outbound event says about the outage of a listener. A retry resets failing_since;
-- the outage started at the latest when it was reported.
--
-- Locks: none.
-- Called by: tell_listener_failed, tell_listener_recovered.
-- SQL because: triggers build the event from the row they see.
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
