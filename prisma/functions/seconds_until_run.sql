-- seconds_until_run: returns how long a user must wait before they may start a run, or null when they may start one now.
--
-- `user_limit`: runs of the user per sliding hour, whatever started them.
-- `event_limit`: how many of those events may start; null for a run that no event started. The rest of the hour stays free
-- for the user's own calls, so a flood of deliveries cannot lock the user out.
-- Locks: none. To keep the count exact, the caller holds the lock of the user (see create_runs).
-- Called by: `lib/domain/triggers/deliveries/refuse-over-limit`, create_runs.
-- SQL because: it is volatile, so it sees what is committed after create_runs' lock, in the same round trip.
create or replace function seconds_until_run(of_user uuid, user_limit integer, event_limit integer) returns integer
language plpgsql volatile as $$
declare
  present constant timestamptz := clock_timestamp();
  limiting timestamptz;
begin
  select r.created_at into limiting from runs r
    where r.user_id = of_user and r.created_at > present - interval '1 hour'
    order by r.created_at desc offset user_limit - 1 limit 1;
  if event_limit is not null then
    limiting := greatest(limiting, (
      select r.created_at from runs r
        where r.user_id = of_user and r.created_at > present - interval '1 hour' and r.subscription_id is not null
        order by r.created_at desc offset event_limit - 1 limit 1));
  end if;
  -- greatest() ignores nulls, so without this condition the answer would never be null.
  return case when limiting is not null
    then greatest(ceil(extract(epoch from limiting + interval '1 hour' - present)), 1) end;
end $$;
