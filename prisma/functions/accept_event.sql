-- accept_event: creates the run of one event: a webhook's delivery, a schedule's moment. One statement and one commit, so
-- that an answered delivery is a run with its job, and a moment that fired never fires again.
--
-- `of_delivery`: the columns of the log's row by name. With a dedupe_key the same event within `dedupe_hours` creates no
-- second run: deliveries that come at the same moment wait for the first. Their outcome is `duplicate`, with the first
-- one's run.
-- `plan`: the workspace's plan, as the caller read it. If the plan or the deployed version has changed, or the
-- subscription is paused, the outcome is `stale` and nothing is written; the caller reads again.
-- `moment`: for a schedule, `expected` is the next_at that was found due, `fired` the moment that fires now, `next_at` the
-- moment after it, and `missed` how many moments are counted as missed. If another worker holds the subscription's row or
-- has already moved it to a later moment, the outcome is `taken` and nothing is written.
-- `refusal`: if it is null, an event above a limit is refused: the outcome is user_limit or month_limit, and a row of the
-- log is all that is written. Otherwise see create_run.
-- `refused_per_minute`: see note_delivery. The other parameters are create_run's: with `waits_for_no_key` in `job`, the
-- outcome is `in_progress` while the same event is being accepted.
-- Returns `outcome` (accepted, or one of the above), the run's id and, of a created run, its status.
-- Locks: until the transaction ends, in this order: the subscription's row (schedules only, never waits), the dedupe key
-- (waits up to 5 s), then create_run's. A repeated delivery is recognized before it asks for a lock; only deliveries that
-- arrive while the first is being accepted need it. Before that, most of a thousand at once on a busy machine waited for a
-- connection and did not get one.
-- Called by: `lib/domain/runs/create/insert-runs`.
-- SQL because: it locks first and reads after that, in one round trip (see create_run).
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
      if not lock_key(
        hashtextextended(concat_ws('|', delivery.subscription_id, delivery.dedupe_key), 3),
        not job ? 'waits_for_no_key'
      ) then
        outcome := 'in_progress';
        return;
      end if;
      known := known_event(delivery.subscription_id, delivery.dedupe_key, dedupe_hours);
    end if;
    if known.id is null then
      -- An accepted delivery that is too old to count releases its key.
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
    if made.outcome = 'created' then
      run_id := (of_run ->> 'id')::uuid;
      run_status := made.status;
      outcome := 'accepted';
      insert into trigger_deliveries (id, subscription_id, workspace_id, dedupe_key, verdict, run_id, request)
        values (delivery.id, delivery.subscription_id, delivery.workspace_id, delivery.dedupe_key, 'accepted', run_id,
          delivery.request);
    else
      outcome := made.outcome;
      if outcome = 'user_limit' then
        delivery.verdict := 'over_run_limit';
      else
        delivery.verdict := 'over_run_quota';
      end if;
      perform note_delivery(delivery, refused_per_minute);
    end if;
  end if;

  if moment is not null then
    update trigger_subscriptions s
      set next_at = (moment ->> 'next_at')::timestamptz, last_at = (moment ->> 'fired')::timestamptz,
          missed = s.missed + (moment ->> 'missed')::integer
      where s.id = delivery.subscription_id;
  end if;
end $$;
