-- emit_event: writes an outbound event for each endpoint of a workspace that listens to its type.
--
-- `of_data`: ids, names and times; never the input or the output of a run.
-- Locks: none beyond the new rows.
-- Called by: the emit_* and tell_* triggers, `lib/domain/outbound-events/alerts/evaluate-alerts`,
-- `lib/domain/publish/guard-controls`.
-- SQL because: triggers write events in the statement that makes them true, whichever of the many statements that is. A run
-- that ended without its event, or an event of a run that did not end, cannot exist.
create or replace function emit_event(of_workspace uuid, of_type text, of_data jsonb) returns void language plpgsql as $$
declare
  of_event constant uuid := new_uuidv7();
begin
  insert into event_deliveries (id, event_id, workspace_id, endpoint_id, type, data, group_key, next_attempt_at)
    select new_uuidv7(), of_event, of_workspace, e.id, of_type, of_data, g.key,
        greatest(clock_timestamp(), m.sent_at + interval '15 minutes')
      from event_endpoints e
      cross join lateral (
        -- event types, one per terminal run status
        select case when e.kind = 'email' and of_type in ('run.succeeded', 'run.failed', 'run.timed_out', 'run.cancelled')
          then concat_ws('|', of_type, of_data ->> 'workflow_id') end as key) g
      left join event_mail_groups m on m.endpoint_id = e.id and m.group_key = g.key
      where e.workspace_id = of_workspace and e.is_enabled and of_type = any (e.events);
end $$;
