-- create_run: creates a run: idempotency key, the action's state, the user's hour, the month's quota, the row and its place
-- in the queue, in the caller's transaction, or in its own when it is the whole statement.
--
-- `of_run`: the columns of the row by name, without the sealed input. `of_run.status` is the status the run starts with:
-- accepted (it is queued), waiting_for_approval, or succeeded (dry run).
-- `of_run.event_limit`: see seconds_until_run. It is no column; a caller of an earlier release leaves it out.
-- `of_run.definition_text`: the definition of a test run, as JSON with its keys in order. A caller of an earlier release
-- sends `of_run.definition` instead.
-- `of_run.input_text`: in the same way, the input, unless jsonb keeps the order of its keys anyway: then it is in
-- `of_run.input`.
-- `release_id` and `policy`: the action as the caller read it. The run is created only while the action is active with
-- that release and that policy (null: any), else the outcome is `stale` and nothing is written. A null release_id is a
-- run that does not come through an action.
-- `user_limit` and `month_limit`: 0 is no limit. `refusal` decides what happens at a limit: null refuses the call (outcomes
-- user_limit, month_limit); else the run is written as failed with the error that `refusal` maps the limit to, and does
-- not count against the user.
-- `idempotency_key`, `payload_hash`, `key_hours`: the key holds for that many hours. The outcome for a key used before is
-- replayed (same payload) or key_reused.
-- `job`: with `announced_by_caller` in it, the caller notifies the workers once the run is committed
-- (`lib/platform/jobs/announce-jobs`); if that notice is lost, a worker finds the run with its next poll. A transaction that
-- has sent a NOTIFY holds a lock of the whole database until its commit has reached the disk, so the commits of all callers
-- would reach it one after the other: measured with ten callers, a quarter of the runs a second. With `waits_for_no_key`
-- in it, the outcome is `in_progress` while an equal call holds the key: a statement for many runs must not wait for one.
-- Returns `outcome` (created, or one of the above), and of a created run `status`, `error` and `created_at`; of user_limit
-- the seconds in `retry_after`.
-- Locks: until the transaction ends, in this order for every caller: idempotency key (waits up to 5 s), user, month. Each
-- count reads after its lock, so no two calls slip under a limit together.
-- Called by: `lib/domain/runs/create/insert-runs`, accept_event.
-- SQL because: it locks first and reads after that. One plain statement cannot: its snapshot is older than its lock.
-- Several statements would be several round trips, and every call of an action waits for this one.
create or replace function create_run(
  of_run jsonb, sealed_input bytea, release_id uuid, policy text, user_limit integer, month_limit integer, refusal jsonb,
  idempotency_key text, payload_hash bytea, key_hours integer, job jsonb,
  out outcome text, out status text, out error jsonb, out created_at timestamptz, out retry_after integer
) language plpgsql as $$
declare
  new_run runs := jsonb_populate_record(null::runs, of_run);
  is_dry constant boolean := coalesce(new_run.dry_run, false);
  present timestamptz;
  known idempotency_keys;
begin
  status := new_run.status;

  if idempotency_key is not null then
    if not lock_key(
      hashtextextended(concat_ws('|', new_run.workspace_id, new_run.action_slug, idempotency_key), 1),
      not job ? 'waits_for_no_key'
    ) then
      outcome := 'in_progress';
      return;
    end if;
    select * into known from idempotency_keys i
      where i.workspace_id = new_run.workspace_id and i.action_slug = new_run.action_slug and i.key = idempotency_key;
    if found and known.created_at > clock_timestamp() - make_interval(hours => key_hours) then
      outcome := case when known.payload_hash = create_run.payload_hash then 'replayed' else 'key_reused' end;
      return;
    elsif found then
      delete from idempotency_keys i
        where i.workspace_id = new_run.workspace_id and i.action_slug = new_run.action_slug and i.key = idempotency_key;
    end if;
  end if;

  if release_id is not null then
    perform 1 from actions a
      where a.workspace_id = new_run.workspace_id and a.id = new_run.action_id
        and a.status = 'active' and a.current_release_id = release_id
        and (create_run.policy is null or a.approval_policy = create_run.policy);
    if not found then
      outcome := 'stale';
      return;
    end if;
  end if;

  if not is_dry and user_limit > 0 and new_run.user_id is not null then
    perform pg_advisory_xact_lock(hashtextextended(new_run.user_id::text, 2));
    retry_after := seconds_until_run(new_run.user_id, user_limit, (of_run ->> 'event_limit')::integer);
    if retry_after is not null then
      outcome := 'user_limit';
    end if;
  end if;

  present := clock_timestamp();
  if not is_dry and month_limit > 0 and outcome is null then
    insert into usage_months as u (workspace_id, month, runs)
      values (new_run.workspace_id, date_trunc('month', present at time zone 'UTC')::date, 1)
      on conflict (workspace_id, month) do update set runs = u.runs + 1 where u.runs < month_limit;
    if not found then
      outcome := 'month_limit';
    end if;
  end if;

  if outcome is not null then
    if refusal is null then
      return;
    end if;
    status := 'failed';
    new_run.user_id := null;
    error := refusal -> outcome;
  end if;

  insert into runs (id, workspace_id, workflow_id, workflow_version_id, definition, definition_written, action_id,
      action_slug, action_release_version, source, status, dry_run, input, input_written, input_sealed, error,
      correlation_id, traceparent,
      resume_from_run_id, resume_from_step_id, parent_run_id, parent_step, depth, user_id, api_key_id, subscription_id,
      allowed_action_slugs, created_at, completed_at)
    values (new_run.id, new_run.workspace_id, new_run.workflow_id, new_run.workflow_version_id,
      coalesce(new_run.definition, (of_run ->> 'definition_text')::jsonb), (of_run ->> 'definition_text')::json,
      new_run.action_id, new_run.action_slug, new_run.action_release_version, new_run.source, create_run.status, is_dry,
      coalesce(new_run.input, (of_run ->> 'input_text')::jsonb), (of_run ->> 'input_text')::json, sealed_input,
      create_run.error, new_run.correlation_id, new_run.traceparent,
      new_run.resume_from_run_id, new_run.resume_from_step_id, new_run.parent_run_id, new_run.parent_step,
      coalesce(new_run.depth, 0), case when is_dry then null else new_run.user_id end, new_run.api_key_id,
      new_run.subscription_id, new_run.allowed_action_slugs, present,
      -- run statuses, terminal at creation
      case when create_run.status in ('succeeded', 'failed') then present end)
    returning runs.created_at into created_at;

  if idempotency_key is not null then
    insert into idempotency_keys (workspace_id, action_slug, key, payload_hash, run_id, created_at)
      values (new_run.workspace_id, new_run.action_slug, idempotency_key, create_run.payload_hash, new_run.id, present);
  end if;

  if status = 'accepted' then
    insert into run_queue (run_id, workspace_id, run_at) values (new_run.id, new_run.workspace_id, present);
    if not job ? 'announced_by_caller' then
      perform pg_notify('runs_queued', '');
    end if;
  end if;
  outcome := 'created';
end $$;
