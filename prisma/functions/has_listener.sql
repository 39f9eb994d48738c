-- has_listener: returns whether an enabled endpoint of a workspace listens to a type of outbound event.
--
-- Locks: none.
-- Called by: emit_run_ended, emit_approval_opened.
-- SQL because: triggers ask it before they gather an event's data; most workspaces have no endpoint.
create or replace function has_listener(of_workspace uuid, of_type text) returns boolean language sql stable as $$
  select exists (select 1 from event_endpoints e
    where e.workspace_id = of_workspace and e.is_enabled and of_type = any (e.events))
$$;
