-- emit_schedule_missed: writes the outbound event schedule.missed when moments of a schedule are counted as missed.
--
-- Locks: none beyond the new rows.
-- Called by: its trigger on trigger_subscriptions.
-- SQL because: settle_events counts the moments; the event is of the same commit (see emit_event).
create or replace function emit_schedule_missed() returns trigger language plpgsql as $$
begin
  perform emit_event(new.workspace_id, 'schedule.missed', jsonb_build_object('workflow_id', new.workflow_id,
    'workflow_name', (select w.name from workflows w where w.id = new.workflow_id),
    'missed', new.missed - old.missed, 'first_missed_at', old.next_at, 'next_at', new.next_at));
  return null;
end $$;
create or replace trigger trigger_subscriptions_emit_missed after update of missed on trigger_subscriptions for each row
  when (new.missed > old.missed) execute function emit_schedule_missed();
