-- A repeated delivery costs little: it is recognised before its lock is asked for, which only those need that come while
-- the first is being accepted, and what the log notes of it waits for no disk. Of a thousand at once on a busy machine
-- most had waited in vain for a connection before.

create or replace function note_delivery(delivery trigger_deliveries, per_minute integer) returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
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

-- The accepted delivery that a key belongs to, while the key holds. Each call sees what is committed by then.
create function known_event(of_subscription uuid, of_key text, dedupe_hours integer) returns trigger_deliveries
language sql volatile as $$
  select * from trigger_deliveries d
    where d.subscription_id = of_subscription and d.dedupe_key = of_key and d.verdict = 'accepted'
      and d.received_at > clock_timestamp() - make_interval(hours => dedupe_hours)
$$;

create or replace function accept_event(
  of_delivery jsonb, dedupe_hours integer, plan text, moment jsonb, of_run jsonb, sealed_input bytea, user_limit integer,
  month_limit integer, refusal jsonb, job jsonb, refused_per_minute integer,
  out outcome text, out run_id uuid, out run_status text
) language plpgsql as $$
declare
  delivery trigger_deliveries := jsonb_populate_record(null::trigger_deliveries, of_delivery);
  known trigger_deliveries;
  made record;
begin
  if moment is not null then
    perform 1 from trigger_subscriptions s
      where s.id = delivery.subscription_id and s.is_active and s.next_at = (moment ->> 'expected')::timestamptz
      for no key update skip locked;
    if not found then
      outcome := 'taken';
      return;
    end if;
  end if;

  perform 1 from trigger_subscriptions s
    join workspaces w on w.id = s.workspace_id
    join workflow_versions v on v.id = (of_run ->> 'workflow_version_id')::uuid
    where s.id = delivery.subscription_id and s.is_active and s.workspace_id = delivery.workspace_id
      and v.workspace_id = s.workspace_id and v.workflow_id = s.workflow_id and v.status = 'deployed'
      and w.plan = accept_event.plan;
  if not found then
    outcome := 'stale';
    return;
  end if;

  if delivery.dedupe_key is not null then
    known := known_event(delivery.subscription_id, delivery.dedupe_key, dedupe_hours);
    if known.id is null then
      perform set_config('lock_timeout', '5s', true);
      perform pg_advisory_xact_lock(hashtextextended(concat_ws('|', delivery.subscription_id, delivery.dedupe_key), 3));
      perform set_config('lock_timeout', '0', true);
      known := known_event(delivery.subscription_id, delivery.dedupe_key, dedupe_hours);
    end if;
    if known.id is null then
      -- An accepted one that is too old to count gives its key up.
      update trigger_deliveries d set dedupe_key = null
        where d.subscription_id = delivery.subscription_id and d.dedupe_key = delivery.dedupe_key and d.verdict = 'accepted';
    else
      delivery.verdict := 'duplicate';
      delivery.run_id := known.run_id;
      perform note_delivery(delivery, refused_per_minute);
      outcome := 'duplicate';
      run_id := known.run_id;
    end if;
  end if;

  if outcome is null then
    select * into made from create_run(of_run, sealed_input, null, null, user_limit, month_limit, refusal, null, null, 0, job);
    run_id := (of_run ->> 'id')::uuid;
    run_status := made.status;
    outcome := 'accepted';
    insert into trigger_deliveries (id, subscription_id, workspace_id, dedupe_key, verdict, run_id, request)
      values (delivery.id, delivery.subscription_id, delivery.workspace_id, delivery.dedupe_key, 'accepted', run_id,
        delivery.request);
  end if;

  if moment is not null then
    update trigger_subscriptions s
      set next_at = (moment ->> 'next_at')::timestamptz, last_at = (moment ->> 'fired')::timestamptz,
          missed = s.missed + (moment ->> 'missed')::integer
      where s.id = delivery.subscription_id;
  end if;
end $$;
