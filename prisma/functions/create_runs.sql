-- create_runs: creates runs: idempotency keys, the states of the actions, the users' hours, the workspaces' quotas, the rows
-- and their places in the queue, in the caller's transaction, or in its own when it is the whole statement. PostgreSQL
-- spends most of a run's CPU time on starting statements, so each check and each insert is one statement for all runs.
-- Measured with ten runs: 0.12 ms of CPU time for each, and 0.28 ms when each run had statements for itself.
--
-- `of_runs`: an array of objects. Each has the columns of the row by name, and:
-- `status`: the status the run starts with: accepted (it is queued), waiting_for_approval, or succeeded (dry run).
-- `input_text`: the input, as JSON with its keys in order, unless jsonb keeps their order anyway: then it is in `input`.
-- `sealed_input`: as base64.
-- `release_id` and `policy`: the action as the caller read it. The run is created only while the action is active with
-- that release and that policy (null: any), else the outcome is `stale` and nothing is written. A null release_id is a
-- run that does not come through an action.
-- `user_limit` and `month_limit`: 0 is no limit. `event_limit`: see seconds_until_run. `refusal` decides what happens at a
-- limit: null refuses the call (outcomes user_limit, month_limit); else the run is written as failed with the error that
-- `refusal` maps the limit to, and does not count against the user.
-- `idempotency_key`, `payload_hash`: the outcome for a key used before is replayed (same payload) or key_reused. Of equal
-- keys in the list, the first decides. `delivery`: set for a run that an event starts, see check_events.
--
-- `key_hours`: how long an idempotency key holds. `refused_per_minute`: see note_delivery.
-- `waits`: for a single run: waits up to 5 s for an equal call that is being answered. Without it, the outcome is
-- `in_progress`: a statement for many runs must not wait for one.
-- Returns for each run its `id` and `outcome` (created; of an event's run accepted; or one of the above), and of a created
-- run `status`, `error` and `created_at`; of user_limit the seconds in `retry_after`; of an event the run in `run_id`.
-- The caller notifies the workers once the runs are committed (`lib/platform/jobs/announce-jobs`); if that notice is lost,
-- a worker finds the runs with its next poll. A transaction that has sent a NOTIFY holds a lock of the whole database until
-- its commit has reached the disk, so the commits of all callers would reach it one after the other: measured with ten
-- callers, a quarter of the runs a second.
-- Near a limit it creates the runs one after the other, so that exactly as many as fit are created, in the given order.
-- An empty list creates nothing: with it, a connection that is kept plans the insert before the first call.
-- Locks: until the transaction ends, in this order for every caller: the rows and keys of events and the idempotency keys
-- (only a single run waits for one), the users in the order of their ids, the months in the order of their workspaces. Two
-- statements cannot wait for each other. Each count reads after its lock, so no two calls slip under a limit together.
-- Called by: `lib/domain/runs/create/insert-runs`.
-- SQL because: it locks first and reads after that. One plain statement cannot: its snapshot is older than its lock.
-- Several statements would be several round trips, and every call of an action waits for this one.
create or replace function create_runs(of_runs json, key_hours integer, refused_per_minute integer, waits boolean)
returns table (
  id uuid, outcome text, status text, error jsonb, created_at timestamptz, retry_after integer, run_id uuid
) language plpgsql as $$
declare
  present timestamptz;
  is_alone constant boolean := json_array_length(of_runs) = 1;
  has_keys boolean;
  has_events boolean;
  has_moments boolean;
  has_users boolean;
  has_months boolean;
  answered uuid[] := '{}';
  created uuid[] := '{}';
  -- The events whose moment has fired.
  settled uuid[] := '{}';
  -- The runs that have to be created one after the other.
  later uuid[] := '{}';
  stale uuid[];
  -- The runs whose idempotency key is locked.
  locked uuid[];
  -- The limit that a single run meets.
  exceeded text;
begin
  select bool_or(r.idempotency_key is not null), bool_or(r.delivery is not null), bool_or(r.moment is not null),
      array_agg(r.id) filter (where case when r.idempotency_key is not null then lock_key(
        hashtextextended(concat_ws('|', r.workspace_id, r.action_slug, r.idempotency_key), 1), waits) end)
    into has_keys, has_events, has_moments, locked
    from json_to_recordset(of_runs) as r (id uuid, workspace_id uuid, action_slug text, idempotency_key text,
      delivery json, moment json);

  if has_events then
    for id, outcome, run_id in select e.* from check_events(of_runs, has_moments, refused_per_minute, waits) e loop
      if outcome = 'later' then
        later := later || id;
      else
        answered := answered || id;
        return next;
      end if;
      if outcome = 'duplicate' then
        settled := settled || id;
      end if;
    end loop;
    run_id := null;
  end if;
  if has_keys then
    for id, outcome in
      select r.id, case
          when i.created_at > clock_timestamp() - make_interval(hours => key_hours) then
            case when i.payload_hash = decode(r.payload_hash, 'base64') then 'replayed' else 'key_reused' end
          when row_number() over (partition by r.workspace_id, r.action_slug, r.idempotency_key order by r.ordinality) > 1
            then 'later'
          when r.id = any (locked) is not true then 'in_progress'
          else 'free'
        end
        from rows from (json_to_recordset(of_runs)
          as (id uuid, workspace_id uuid, action_slug text, idempotency_key text, payload_hash text)) with ordinality as r
        left join lateral (
          -- The limit keeps PostgreSQL from planning a join, which reads the whole table.
          select k.payload_hash, k.created_at from idempotency_keys k
            where k.workspace_id = r.workspace_id and k.action_slug = r.action_slug and k.key = r.idempotency_key
            limit 1
        ) i on true
        where r.idempotency_key is not null
    loop
      continue when outcome = 'free';
      if outcome = 'later' then
        later := later || id;
      else
        answered := answered || id;
        return next;
      end if;
    end loop;
  end if;

  -- Not a join: its plan would read the whole table.
  select array_agg(r.id) filter (where r.release_id is not null and not exists (
        select from actions a
          where a.workspace_id = r.workspace_id and a.id = r.action_id and a.status = 'active'
            and a.current_release_id = r.release_id and (r.policy is null or a.approval_policy = r.policy))),
      bool_or(not r.dry_run and r.user_limit > 0 and r.user_id is not null), bool_or(not r.dry_run and r.month_limit > 0)
    into stale, has_users, has_months
    from json_to_recordset(of_runs) as r (id uuid, workspace_id uuid, action_id uuid, release_id uuid, policy text,
      dry_run boolean, user_limit integer, user_id uuid, month_limit integer)
    where r.id <> all (answered || later);
  if stale is not null then
    answered := answered || stale;
    outcome := 'stale';
    foreach id in array stale loop
      return next;
    end loop;
  end if;

  if has_users then
    perform pg_advisory_xact_lock(hashtextextended(u.user_id::text, 2)) from (
      select distinct r.user_id
        from json_to_recordset(of_runs) as r (id uuid, dry_run boolean, user_limit integer, user_id uuid)
        where r.id <> all (answered) and not r.dry_run and r.user_limit > 0 and r.user_id is not null
        order by r.user_id
    ) u;
    -- Of several runs of a user, the last one fits if all do.
    select max(case when u.runs > u.user_limit or u.events > u.event_limit then 1
        else seconds_until_run(u.user_id, u.user_limit - u.runs + 1, u.event_limit - u.events + 1) end)
      into retry_after
      from (
        select r.user_id, min(r.user_limit) as user_limit, min(r.event_limit) as event_limit, count(*)::integer as runs,
            count(r.event_limit)::integer as events
          from json_to_recordset(of_runs)
            as r (id uuid, dry_run boolean, user_limit integer, user_id uuid, event_limit integer)
          where r.id <> all (answered || later) and not r.dry_run and r.user_limit > 0 and r.user_id is not null
          group by r.user_id
      ) u;
    if retry_after is not null and is_alone then
      exceeded := 'user_limit';
    elsif retry_after is not null then
      retry_after := null;
      has_months := false;
      later := (select array_agg(r.id) from json_to_recordset(of_runs) as r (id uuid) where r.id <> all (answered));
    end if;
  end if;

  present := clock_timestamp();
  if has_months and exceeded is null then
    with open as materialized (
      select r.id, r.workspace_id, r.month_limit
        from json_to_recordset(of_runs) as r (id uuid, workspace_id uuid, dry_run boolean, month_limit integer)
        where r.id <> all (answered || later) and not r.dry_run and r.month_limit > 0
    ), wanted as (
      -- If they are more than the limit, none is counted here; the row is locked all the same.
      select o.workspace_id, min(o.month_limit) as month_limit,
          case when count(*) <= min(o.month_limit) then count(*) else 0 end as runs
        from open o group by o.workspace_id
    ), counted as (
      insert into usage_months as u (workspace_id, month, runs)
        select w.workspace_id, date_trunc('month', present at time zone 'UTC')::date, w.runs
          from wanted w order by w.workspace_id
        on conflict (workspace_id, month) do update set runs = u.runs + excluded.runs
          where u.runs + excluded.runs
            <= (select w.month_limit from wanted w where w.workspace_id = excluded.workspace_id)
        returning u.workspace_id
    )
    select later || array_agg(o.id) into later from open o
      where o.workspace_id not in (
        select w.workspace_id from wanted w join counted c on c.workspace_id = w.workspace_id where w.runs > 0);
    if is_alone and later <> '{}' then
      later := '{}';
      exceeded := 'month_limit';
    end if;
  end if;

  if exceeded is not null and of_runs -> 0 ->> 'refusal' is null then
    id := of_runs -> 0 ->> 'id';
    outcome := exceeded;
    answered := answered || id;
    settled := settled || id;
    return next;
  end if;
  retry_after := null;

  if cardinality(answered) + cardinality(later) < json_array_length(of_runs) or json_array_length(of_runs) = 0 then
    outcome := 'created';
    for id, status, error, created_at in
      with made as (
        insert into runs as u (id, workspace_id, workflow_id, workflow_version_id, definition, action_id, action_slug,
            action_release_version, source, status, dry_run, input, input_written, input_sealed, error,
            correlation_id, traceparent, resume_from_run_id, resume_from_step_id, parent_run_id, parent_step, depth, user_id,
            api_key_id, subscription_id, allowed_action_slugs, created_at, completed_at)
          select r.id, r.workspace_id, r.workflow_id, r.workflow_version_id, r.definition, r.action_id,
              r.action_slug, r.action_release_version, r.source, case when exceeded is null then r.status else 'failed' end,
              coalesce(r.dry_run, false), coalesce(r.input, r.input_text::jsonb), r.input_text::json,
              decode(r.sealed_input, 'base64'), r.refusal -> exceeded, r.correlation_id, r.traceparent,
              r.resume_from_run_id, r.resume_from_step_id, r.parent_run_id, r.parent_step, coalesce(r.depth, 0),
              case when exceeded is null and r.dry_run is not true then r.user_id end, r.api_key_id, r.subscription_id,
              r.allowed_action_slugs, present, case when exceeded is not null or r.status = 'succeeded' then present end
            from json_to_recordset(of_runs) as r (id uuid, workspace_id uuid, workflow_id uuid, workflow_version_id uuid,
              definition json, action_id uuid, action_slug text, action_release_version integer, source text, status text,
              dry_run boolean, input jsonb, input_text text, sealed_input text, refusal jsonb, correlation_id text,
              traceparent text, resume_from_run_id uuid, resume_from_step_id text, parent_run_id uuid, parent_step text,
              depth integer, user_id uuid, api_key_id uuid, subscription_id uuid, allowed_action_slugs text[])
            where r.id <> all (answered || later)
          returning u.id, u.workspace_id, u.status, u.error, u.created_at
      ), queued as (
        insert into run_queue (run_id, workspace_id, run_at)
          select m.id, m.workspace_id, present from made m where m.status = 'accepted'
      )
      select m.id, m.status, m.error, m.created_at from made m
    loop
      created := created || id;
      return next;
    end loop;
  end if;

  if has_keys and created <> '{}' then
    -- A key that has expired belongs to its next run.
    insert into idempotency_keys (workspace_id, action_slug, key, payload_hash, run_id, created_at)
      select r.workspace_id, r.action_slug, r.idempotency_key, decode(r.payload_hash, 'base64'), r.id, present
        from json_to_recordset(of_runs)
          as r (id uuid, workspace_id uuid, action_slug text, idempotency_key text, payload_hash text)
        where r.id = any (created) and r.idempotency_key is not null
      on conflict (workspace_id, action_slug, key) do update
        set payload_hash = excluded.payload_hash, run_id = excluded.run_id, created_at = excluded.created_at;
  end if;
  if has_events then
    perform settle_events(of_runs, created, settled || created, exceeded, refused_per_minute);
  end if;

  if later <> '{}' then
    return query select c.* from (
        select o.run from json_array_elements(of_runs) with ordinality as o (run, place)
          where (o.run ->> 'id')::uuid = any (later)
          order by (o.run ->> 'workspace_id')::uuid, (o.run ->> 'user_id')::uuid, o.place
      ) l cross join lateral create_runs(json_build_array(l.run), key_hours, refused_per_minute, false) c;
  end if;
end $$;
