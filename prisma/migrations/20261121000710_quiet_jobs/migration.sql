-- A run's job without a notice in the run's transaction. A transaction that has sent a NOTIFY holds a lock of the whole
-- database until its commit has reached the disk, so those of all callers would reach it one after the other: measured
-- with ten of them, a quarter of the runs a second. The caller sends the notice when the run is committed; where that is
-- lost a worker finds the job with its next poll.
--
-- graphile-worker's own functions always send one, so the job is written as they write it. A test compares the two.
--
-- create_run as it was, but for `job`: with `announced_by_caller` in it, the caller sends the notice.
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
  limiting timestamptz;
  is_queued boolean := false;
begin
  status := new_run.status;

  if idempotency_key is not null then
    -- Equal calls at the same moment wait for the first and then find its answer; lock_timeout bounds the wait.
    perform set_config('lock_timeout', '5s', true);
    perform pg_advisory_xact_lock(hashtextextended(
      concat_ws('|', new_run.workspace_id, new_run.action_slug, idempotency_key), 1));
    perform set_config('lock_timeout', '0', true);
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
    present := clock_timestamp();
    select r.created_at into limiting from runs r
      where r.user_id = new_run.user_id and r.created_at > present - interval '1 hour'
      order by r.created_at desc offset user_limit - 1 limit 1;
    if found then
      outcome := 'user_limit';
      retry_after := greatest(ceil(extract(epoch from limiting + interval '1 hour' - present)), 1);
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

  insert into runs (id, workspace_id, workflow_id, workflow_version_id, definition, action_id, action_slug,
      action_release_version, source, status, dry_run, input, input_sealed, error, correlation_id, traceparent,
      resume_from_run_id, resume_from_step_id, parent_run_id, parent_step, depth, user_id, api_key_id, subscription_id,
      created_at, completed_at)
    values (new_run.id, new_run.workspace_id, new_run.workflow_id, new_run.workflow_version_id, new_run.definition,
      new_run.action_id, new_run.action_slug, new_run.action_release_version, new_run.source, create_run.status, is_dry,
      new_run.input, sealed_input, create_run.error, new_run.correlation_id, new_run.traceparent,
      new_run.resume_from_run_id, new_run.resume_from_step_id, new_run.parent_run_id, new_run.parent_step,
      coalesce(new_run.depth, 0), case when is_dry then null else new_run.user_id end, new_run.api_key_id,
      new_run.subscription_id, present, case when create_run.status in ('succeeded', 'failed') then present end)
    returning runs.created_at into created_at;

  if idempotency_key is not null then
    insert into idempotency_keys (workspace_id, action_slug, key, payload_hash, run_id, created_at)
      values (new_run.workspace_id, new_run.action_slug, idempotency_key, create_run.payload_hash, new_run.id, present);
  end if;

  if status = 'accepted' then
    if job ? 'announced_by_caller' then
      insert into graphile_worker._private_jobs (task_id, payload, key, max_attempts)
        select t.id, json_build_object('run_id', new_run.id), job ->> 'key', (job ->> 'max_attempts')::smallint
        from graphile_worker._private_tasks t where t.identifier = job ->> 'identifier';
      is_queued := found;
    end if;
    -- add_job also makes the task where no worker has done so yet. It can answer NULL under contention for one key; a run
    -- without a job would be stuck.
    if not is_queued and (graphile_worker.add_job(job ->> 'identifier', json_build_object('run_id', new_run.id),
        job_key := job ->> 'key', max_attempts := (job ->> 'max_attempts')::integer)).id is null then
      raise exception 'the job of run % was not queued', new_run.id;
    end if;
  end if;
  outcome := 'created';
end $$;
