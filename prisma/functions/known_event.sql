-- known_event: returns the accepted delivery that a dedupe key belongs to, or null when there is none within
-- `dedupe_hours`.
--
-- Locks: none.
-- Called by: check_events, `lib/domain/triggers/deliveries/refuse-over-limit`.
-- SQL because: it is volatile, so check_events sees what is committed by then.
create or replace function known_event(of_subscription uuid, of_key text, dedupe_hours integer) returns trigger_deliveries
language sql volatile as $$
  select * from trigger_deliveries d
    where d.subscription_id = of_subscription and d.dedupe_key = of_key and d.verdict = 'accepted'
      and d.received_at > clock_timestamp() - make_interval(hours => dedupe_hours)
$$;
