-- What retention deletes by.
create index trigger_deliveries_received_at_idx on trigger_deliveries (received_at);

-- Writes one row of the delivery log that starts no run. Nobody waits for it to reach the disk, and of what is refused
-- only so many rows a minute are kept: whoever knows an address must not be able to fill the disk with it.
create function note_delivery(delivery trigger_deliveries, per_minute integer) returns void language plpgsql as $$
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

-- Makes the run of one event: the webhook's delivery, the schedule's moment. One statement and one commit, so that an
-- answered delivery is a run with its job, and a moment that fired is never fired again.
--
-- `of_delivery` holds the columns of the log's row by name. With a dedupe_key the same event within `dedupe_hours` makes
-- no second run: those that come at the same moment wait for the first. Its outcome is `duplicate`, with the first's run.
-- `plan`: the workspace's, as the caller read it. Where it or the deployed version is another by now, or the subscription
-- is paused, the outcome is `stale` and nothing is written. Read it again.
-- `moment`: for a schedule, `expected` is the next_at that was found due, `fired` the moment that fires now, `next_at` what
-- comes after it, and `missed` how many moments are counted as missed. The subscription's row is taken or, when somebody else has it or has moved it on,
-- left alone: the outcome is `taken`.
-- The rest is create_run's.
create function accept_event(
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
    perform set_config('lock_timeout', '5s', true);
    perform pg_advisory_xact_lock(hashtextextended(concat_ws('|', delivery.subscription_id, delivery.dedupe_key), 3));
    perform set_config('lock_timeout', '0', true);
    select * into known from trigger_deliveries d
      where d.subscription_id = delivery.subscription_id and d.dedupe_key = delivery.dedupe_key and d.verdict = 'accepted';
    if found and known.received_at > clock_timestamp() - make_interval(hours => dedupe_hours) then
      delivery.verdict := 'duplicate';
      delivery.run_id := known.run_id;
      perform note_delivery(delivery, refused_per_minute);
      outcome := 'duplicate';
      run_id := known.run_id;
    elsif found then
      update trigger_deliveries d set dedupe_key = null where d.id = known.id;
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
