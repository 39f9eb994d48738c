-- note_delivery: writes one row of the delivery log that starts no run.
--
-- `delivery`: the row; its times are the table's defaults.
-- `per_minute`: how many such rows a subscription keeps in a minute. A caller who knows an address must not be able to
-- fill the disk with refused deliveries, so further rows are dropped.
-- Locks: none. The callers let the commit not wait for the disk, unless it has a run: a repeated delivery has to cost
-- little.
-- Called by: `lib/domain/triggers/deliveries/note-delivery`, check_events, settle_events.
-- SQL because: create_runs needs it in its own statement, and the count and the row are one round trip.
create or replace function note_delivery(delivery trigger_deliveries, per_minute integer) returns void language plpgsql as $$
begin
  insert into trigger_deliveries (id, subscription_id, workspace_id, dedupe_key, verdict, run_id, request)
    select delivery.id, delivery.subscription_id, delivery.workspace_id, delivery.dedupe_key, delivery.verdict,
        delivery.run_id, delivery.request
      where (
        select count(*) from (
          select 1 from trigger_deliveries d
            where d.subscription_id = delivery.subscription_id and d.received_at > clock_timestamp() - interval '1 minute'
              and d.verdict <> 'accepted'
            limit per_minute
        ) as recent
      ) < per_minute;
end $$;
