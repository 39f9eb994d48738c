-- recheck_listeners: makes the listeners of a connection pending after the connection or its triggers changed. A worker
-- then compares what the triggers want now with what the service was last asked for.
--
-- Locks: the listeners' rows, until the transaction ends.
-- Called by: `lib/domain/connections/recheck-listeners`, `lib/domain/workflows/archive-workflow`,
-- `lib/domain/workflows/delete-workflow`.
-- SQL because: statements that pause or delete triggers call it for each connection they find.
create or replace function recheck_listeners(of_workspace uuid, of_connection uuid) returns void language sql as $$
  update connector_listeners
    set status = 'pending', revision = revision + 1, failures = 0, next_at = clock_timestamp(), updated_at = now()
    where workspace_id = of_workspace and connection_id = of_connection and (status <> 'off' or subscription_id is not null
      or exists (select 1 from trigger_subscriptions s where s.connection_id = of_connection and s.is_active))
$$;
