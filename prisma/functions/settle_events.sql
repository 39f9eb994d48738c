-- settle_events: writes what follows from the outcomes of events: the log's rows, and the schedules' next moments.
--
-- `of_runs`, `refused_per_minute`: see create_runs. `created`: the runs that were created. `exceeded`: the limit that a
-- single event met; if it has no run, a row of the log is all that is written. `settled`: the events whose moment has fired.
-- Locks: none beyond the rows that check_events has locked.
-- Called by: create_runs.
-- SQL because: it is part of the statement that creates the runs.
create or replace function settle_events(
  of_runs json, created uuid[], settled uuid[], exceeded text, refused_per_minute integer
) returns void language plpgsql as $$
declare
  fired record;
begin
  if created <> '{}' then
    insert into trigger_deliveries (id, subscription_id, workspace_id, dedupe_key, verdict, run_id, request)
      select d.id, d.subscription_id, d.workspace_id, d.dedupe_key, 'accepted', r.id, d.request
        from json_to_recordset(of_runs) as r (id uuid, delivery json)
        cross join lateral json_populate_record(null::trigger_deliveries, r.delivery) d
        where r.id = any (created) and r.delivery is not null;
  elsif exceeded is not null then
    perform note_delivery(jsonb_populate_record(null::trigger_deliveries, (of_runs -> 0 ->> 'delivery')::jsonb
      || jsonb_build_object('verdict', case when exceeded = 'user_limit' then 'over_run_limit' else 'over_run_quota' end)),
      refused_per_minute);
  end if;
  for fired in
    select r.subscription_id, r.moment from json_to_recordset(of_runs) as r (id uuid, subscription_id uuid, moment json)
      where r.moment is not null and r.id = any (settled)
  loop
    update trigger_subscriptions s
      set next_at = (fired.moment ->> 'next_at')::timestamptz, last_at = (fired.moment ->> 'fired')::timestamptz,
          missed = s.missed + (fired.moment ->> 'missed')::integer
      where s.id = fired.subscription_id;
  end loop;
end $$;
