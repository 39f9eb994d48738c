-- The two statements every call of an action waits for, as functions: each takes a lock first and reads after it, which
-- one plain statement cannot do (its snapshot is older than its lock), and several would be several round trips.

-- A row that changes with every request finds room for its next version on its own page.
alter table rate_windows set (fillfactor = 50);

-- Spends one request of a key's sliding window of 60 seconds, and tells whose key it is and whether it still lives.
--
-- The requests of the last 60 seconds stand in rate_hits, numbered without gaps from `oldest` to `newest`; whoever holds
-- the key's row of rate_windows may change them. So the count is a subtraction, the first request still inside the
-- window is one step of the index, and what has left is deleted once: the cost does not grow with the limit. The clock is
-- read after the lock, so that the times are in the order of the numbers. A refused request is not counted.
--
-- `window_limits` maps each plan to its requests, 0 being no limit. `state` is active, revoked, expired or unknown; only
-- for active is anything spent. `reset_at` is the epoch second in which the oldest counted request leaves.
create function take_request(
  of_key uuid, window_limits jsonb,
  out state text, out workspace_id uuid, out plan text, out user_id uuid, out name text, out prefix text,
  out scopes text[], out action_slugs text[],
  out request_limit integer, out is_allowed boolean, out remaining integer, out reset_at bigint, out retry_after integer
) language plpgsql
-- The plan is made once per connection, maybe while the tables are empty; it must be the index's.
set enable_seqscan = off
as $$
declare
  key record;
  present timestamptz := clock_timestamp();
  first_seq bigint;
  last_seq bigint;
  old_first_seq bigint;
  first_at timestamptz;
begin
  -- Nothing here has to survive a crash: the commit waits for no disk.
  perform set_config('synchronous_commit', 'off', true);

  select k.*, w.plan into key from api_keys k join workspaces w on w.id = k.workspace_id where k.id = of_key;
  if not found then
    state := 'unknown';
    return;
  elsif not key.is_active then
    state := 'revoked';
    return;
  elsif key.expires_at <= present then
    state := 'expired';
    return;
  end if;
  state := 'active';
  workspace_id := key.workspace_id;
  plan := key.plan;
  user_id := key.created_by;
  name := key.name;
  prefix := key.prefix;
  scopes := key.scopes;
  action_slugs := key.action_slugs;
  request_limit := coalesce((window_limits ->> key.plan)::integer, (window_limits ->> 'free')::integer);

  if request_limit = 0 then
    is_allowed := true;
  else
    select r.oldest, r.newest into old_first_seq, last_seq from rate_windows r where r.key_id = of_key for no key update;
    if not found then
      insert into rate_windows (key_id) values (of_key) on conflict do nothing;
      select r.oldest, r.newest into old_first_seq, last_seq from rate_windows r where r.key_id = of_key for no key update;
    end if;
    present := clock_timestamp();
    select h.seq, h.at into first_seq, first_at from rate_hits h
      where h.key_id = of_key and h.seq >= old_first_seq and h.at > present - interval '60 seconds'
      order by h.seq limit 1;
    first_seq := coalesce(first_seq, last_seq + 1);
    if first_seq > old_first_seq then
      delete from rate_hits h where h.key_id = of_key and h.seq >= old_first_seq and h.seq < first_seq;
    end if;
    is_allowed := last_seq - first_seq + 1 < request_limit;
    if is_allowed then
      last_seq := last_seq + 1;
      insert into rate_hits (key_id, seq, at) values (of_key, last_seq, present);
    end if;
    if is_allowed or first_seq > old_first_seq then
      update rate_windows r set oldest = first_seq, newest = last_seq where r.key_id = of_key;
    end if;
    remaining := greatest(request_limit - (last_seq - first_seq + 1), 0);
    first_at := coalesce(first_at, present) + interval '60 seconds';
    reset_at := floor(extract(epoch from first_at));
    retry_after := greatest(ceil(extract(epoch from first_at - present)), 1);
  end if;

  -- At most once a minute, so that a busy key is not rewritten with every request.
  if key.last_used_at is null or key.last_used_at < present - interval '1 minute' then
    update api_keys k set last_used_at = present
      where k.id = of_key and (k.last_used_at is null or k.last_used_at < present - interval '1 minute');
  end if;
end $$;

-- Makes a run: idempotency, the action's state, the user's hour, the month's quota, the row and its job, in the caller's
-- transaction, or in one of its own when it is the whole statement.
--
-- `of_run` holds the columns of the row by name, sealed input apart. The locks are taken in this order by every caller:
-- idempotency key, user, month. Each count reads after its lock, so no two calls slip under a limit together.
--
-- `of_run.status` is what the run begins with: accepted (its job is queued), waiting_for_approval, or succeeded (dry run).
-- `release_id` and `policy`: what the caller read the action to be. The run is made only while the action is active with
-- that release and that policy (null: any), else the outcome is `stale` and nothing is written. A null release_id is a
-- run that does not come through an action.
-- `user_limit` and `month_limit`: 0 is none. `refusal` says what happens at a limit: null refuses the call (outcomes
-- user_limit, month_limit); else the run is born failed with the error that it maps the limit to, and counts against
-- nobody.
-- `key_hours`: how long an idempotency key holds. The outcome for a key used before is replayed or key_reused.
-- `job`: identifier, key and max_attempts of the job that executes the run.
create function create_run(
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
    -- add_job can answer NULL under contention for one key; a run without a job would be stuck.
    if (graphile_worker.add_job(job ->> 'identifier', json_build_object('run_id', new_run.id), job_key := job ->> 'key',
        max_attempts := (job ->> 'max_attempts')::integer)).id is null then
      raise exception 'the job of run % was not queued', new_run.id;
    end if;
  end if;
  outcome := 'created';
end $$;
