-- check_events: locks the events that start runs, and returns those that start none. A webhook's delivery or a schedule's
-- moment is one statement and one commit with its run, so that an answered delivery is a run with its job, and a moment
-- that fired never fires again.
--
-- `of_runs`: see create_runs. `has_moments`: one of them has a moment. Of a run that an event starts:
-- `delivery`: the columns of the log's row by name. With a dedupe_key the same event within `dedupe_hours` creates no
-- second run. The outcome is `duplicate`, with the first one's run.
-- `plan`: the workspace's plan, as the caller read it. If the plan or the deployed version has changed, or the
-- subscription is paused, the outcome is `stale` and nothing is written; the caller reads again.
-- `moment`: for a schedule, `expected` is the next_at that was found due, `fired` the moment that fires now, `next_at` the
-- moment after it, and `missed` how many moments are counted as missed. If another worker holds the subscription's row or
-- has already moved it to a later moment, the outcome is `taken` and nothing is written.
-- `waits`: a single event waits up to 5 s for an equal one that is being accepted, else its outcome is `in_progress`. A
-- repeated delivery is recognized without its lock. Before that, most of a thousand at once on a busy machine waited for a
-- connection and did not get one. Of equal events in the list, the first decides, and the outcome of the others is `later`.
-- Locks: until the transaction ends, the subscriptions' rows (schedules only, never waits), then the dedupe keys.
-- Called by: create_runs.
-- SQL because: it locks first and reads after that (see create_runs). It looks for a key once, after its lock: every look is
-- one in each week of the log.
create or replace function check_events(of_runs json, has_moments boolean, refused_per_minute integer, waits boolean)
returns table (id uuid, outcome text, run_id uuid) language plpgsql
-- Planning a look in all partitions of the log takes longer than the look.
set plan_cache_mode = force_generic_plan as $$
declare
  moved uuid[];
  fresh uuid[];
  firsts uuid[];
  locked uuid[];
  event record;
begin
  if waits then
    perform lock_key(hashtextextended(concat_ws('|', r.subscription_id, r.delivery ->> 'dedupe_key'), 3), true)
      from json_to_recordset(of_runs) as r (subscription_id uuid, delivery json, dedupe_hours integer)
      where r.delivery ->> 'dedupe_key' is not null
        and (known_event(r.subscription_id, r.delivery ->> 'dedupe_key', r.dedupe_hours)).id is null;
  end if;

  if has_moments then
    select array_agg(m.id) into moved from (
      select distinct on (r.subscription_id) r.id, r.subscription_id, (r.moment ->> 'expected')::timestamptz as expected
        from json_to_recordset(of_runs) as r (id uuid, subscription_id uuid, moment json)
        where r.moment is not null
    ) m cross join lateral (
      select from trigger_subscriptions s
        where s.id = m.subscription_id and s.is_active and s.next_at = m.expected
        for no key update skip locked
    ) s;
  end if;

  select array_agg(r.id), array_agg(r.id) filter (where r.is_first), array_agg(r.id) filter (where case
        when r.dedupe_key is null then true
        when r.is_first then pg_try_advisory_xact_lock(hashtextextended(concat_ws('|', r.subscription_id, r.dedupe_key), 3))
      end)
    into fresh, firsts, locked from (
      select g.id, g.subscription_id, k.dedupe_key,
          row_number() over (partition by g.subscription_id, k.dedupe_key order by g.ordinality) = 1 as is_first
        from rows from (json_to_recordset(of_runs) as (id uuid, workspace_id uuid, workflow_version_id uuid,
          subscription_id uuid, plan text, delivery json, moment json)) with ordinality as g
        cross join lateral (select g.delivery ->> 'dedupe_key' as dedupe_key) k
        -- The limit keeps PostgreSQL from planning joins that read whole tables.
        cross join lateral (
          select from trigger_subscriptions s
            join workspaces w on w.id = s.workspace_id
            join workflow_versions v on v.id = g.workflow_version_id
            where s.id = g.subscription_id and s.is_active and s.workspace_id = g.workspace_id
              and v.workspace_id = s.workspace_id and v.workflow_id = s.workflow_id and v.status = 'deployed'
              and w.plan = g.plan
            limit 1
        ) s
        where g.delivery is not null and (g.moment is null or g.id = any (moved))
    ) r;

  for event in
    select r.id, r.moment is not null and r.id = any (moved) is not true as is_taken, r.subscription_id, r.delivery,
        r.delivery ->> 'dedupe_key' as dedupe_key, d.run_id, d.received_at,
        d.received_at > clock_timestamp() - make_interval(hours => r.dedupe_hours) as is_known
      from json_to_recordset(of_runs)
        as r (id uuid, subscription_id uuid, delivery json, dedupe_hours integer, moment json)
      -- With `order by` and `limit`, the plan would read all deliveries of the subscription in the order of time.
      cross join lateral (
        select max(t.received_at) as received_at, (array_agg(t.run_id order by t.received_at desc))[1] as run_id
          from trigger_deliveries t
          where t.subscription_id = r.subscription_id and t.dedupe_key = r.delivery ->> 'dedupe_key'
            and t.verdict = 'accepted'
      ) d
      where r.delivery is not null
  loop
    id := event.id;
    run_id := null;
    outcome := case
      when event.is_taken then 'taken'
      when id = any (fresh) is not true then 'stale'
      when event.is_known then 'duplicate'
      when id = any (firsts) is not true then 'later'
      when id = any (locked) is not true then 'in_progress'
    end;
    if outcome = 'duplicate' then
      run_id := event.run_id;
      perform note_delivery(jsonb_populate_record(null::trigger_deliveries, event.delivery::jsonb
        || jsonb_build_object('verdict', 'duplicate', 'run_id', run_id)), refused_per_minute);
    elsif outcome is null and event.received_at is not null then
      -- An accepted delivery that is too old to count releases its key.
      update trigger_deliveries t set dedupe_key = null
        where t.subscription_id = event.subscription_id and t.dedupe_key = event.dedupe_key and t.verdict = 'accepted';
    end if;
    if outcome is not null then
      return next;
    end if;
  end loop;
end $$;
