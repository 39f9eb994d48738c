-- admit_runs: admits the next runs of the queue to a worker, the ones of the workspaces with the fewest in flight first. Each
-- becomes a job of Graphile Worker.
--
-- `wanted`: how many at most. `own_slots`: how many the worker executes at once; the slots of the other live workers are in
-- their heartbeats. `after_workspace`: of workspaces with equally many, the one after this one is next, so that they take
-- turns; a worker passes back `last_workspace`. `only_new`: leaves out the workspaces that already have a run in flight.
-- `shares`: by plan, how many times the free slots a workspace may have in flight. It is also the weight of the plan.
--
-- A workspace gets its first run whenever a slot is free. It gets another one while it has fewer in flight than its share
-- of the slots that are still free, and a tenth of all slots remains. So one workspace alone fills 3 of 4 slots on the
-- smallest plan, and the workspaces that come next find a free slot however many came before. An instance with a single
-- workspace has no one to keep slots free for.
--
-- A worker that has room and finds nothing it may take is remembered. The next one that leaves runs which another worker may
-- take notifies it, if it serves their queue: only the worker where a run ended or became due knows of it.
--
-- Returns the runs with the ticket of each, which is needed to return it, and its job; `has_more`, whether due runs remain in
-- the queue, and in how many ms the next later run is due (null if there is none).
-- A worker that serves named queues (`worker_heartbeats.queues`) gets runs of the workspaces in these queues only. The slots
-- and the runs in flight that count are then those of the workers that serve one of them, too.
-- A worker that was declared dead gets none. PostgreSQL finishes a worker's request even if its process no longer exists.
-- Locks: until the transaction ends, in this order: the worker's advisory lock, shared, which
-- `lib/domain/runs/recover/declare-dead` takes before it frees the worker's runs; an advisory lock of all workers, so that
-- they take one after the other and count exactly; then the rows, without waiting for others.
-- Called by: `lib/domain/runs/execute/admit-runs`.
-- SQL because: it counts, chooses and takes behind one lock in one round trip.
create or replace function admit_runs(
  of_pool text, wanted integer, own_slots integer, after_workspace uuid, only_new boolean, shares jsonb,
  out run_ids uuid[], out tickets bigint[], out job_ids bigint[], out last_workspace uuid, out has_more boolean, out next_in_ms float8
) language plpgsql
-- The table is small, changes all the time, and its statistics are always wrong.
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz;
  -- Null: all of them.
  own_queues text[];
  is_dead boolean;
  -- This worker is remembered as one with room.
  is_idle boolean;
  -- When the next later run is due.
  later_at timestamptz;
  is_any_waiting boolean;
  -- Live workers that serve none of these queues.
  strangers text[] := '{}';
  slots integer;
  free integer;
  is_alone boolean;
  chosen uuid[];
  is_surplus boolean := false;
  -- The queues of the runs that this worker leaves.
  left_queues text[];
begin
  -- A crash of PostgreSQL may forget who took a run. It is then taken twice, and its lease decides; every write of a run
  -- that waits for the disk makes this one durable too.
  perform set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock_shared(hashtextextended(of_pool, 4)),
    pg_advisory_xact_lock(7301849);
  present := clock_timestamp();
  run_ids := '{}';
  tickets := '{}';
  job_ids := '{}';
  last_workspace := after_workspace;
  has_more := false;
  select h.queues, h.dead_at is not null into own_queues, is_dead from worker_heartbeats h where h.pool_id = of_pool;
  if is_dead then
    return;
  end if;
  -- Most requests of a worker with free slots find an empty queue. They end after this look at it.
  select exists (select 1 from run_queue q where q.ticket is null and not q.is_later and not q.is_suspect),
      (select l.run_at from run_queue l where l.is_later order by l.run_at limit 1),
      exists (select 1 from idle_workers i where i.pool_id = of_pool)
    into is_any_waiting, later_at, is_idle;
  if later_at <= present then
    update run_queue q set is_later = false
      where q.run_id in (
        select l.run_id from run_queue l where l.is_later and l.run_at <= present
        order by l.run_at limit 1000 for update skip locked);
    is_any_waiting := true;
    later_at := (select l.run_at from run_queue l where l.is_later order by l.run_at limit 1);
    if own_queues is not null then
      -- Some may be for workers of other queues.
      perform pg_notify('runs_queued', '');
    end if;
  end if;
  next_in_ms := extract(epoch from later_at - present) * 1000;

  if is_any_waiting then
    if own_queues is not null then
      strangers := array(select h.pool_id from worker_heartbeats h where h.dead_at is null and not h.queues && own_queues);
    end if;
    select own_slots + coalesce(sum(h.slots), 0), (select count(*) from (select 1 from workspaces limit 2) w) < 2
      into slots, is_alone
      from worker_heartbeats h
      where h.dead_at is null and h.last_seen_at > present - interval '10 seconds' and not h.quarantine
        and h.pool_id <> of_pool and h.pool_id <> all(strangers);
    free := slots - (select count(*) from run_queue q
      where q.ticket is not null and not q.is_suspect and q.taken_by <> all(strangers));

    with recursive waiting as (
      -- One step of the index per workspace, however many runs each of them has.
      (select q.workspace_id from run_queue q where q.ticket is null and not q.is_later and not q.is_suspect
        order by q.workspace_id limit 1)
      union all
      select (select q.workspace_id from run_queue q where q.ticket is null and not q.is_later and not q.is_suspect
        and q.workspace_id > w.workspace_id order by q.workspace_id limit 1)
      from waiting w where w.workspace_id is not null
    ), busy as (
      select q.workspace_id, count(*)::integer as held from run_queue q
      where q.ticket is not null and not q.is_suspect group by q.workspace_id
    ), contenders as (
      select w.workspace_id, b.held is null as is_new, coalesce(b.held, 0) as held, coalesce((shares ->> s.plan)::float8, 1) as share
      from waiting w left join busy b on b.workspace_id = w.workspace_id left join workspaces s on s.id = w.workspace_id
      where w.workspace_id is not null and (own_queues is null or coalesce(s.queue, 'default') = any(own_queues))
      order by coalesce(b.held, 0) / coalesce((shares ->> s.plan)::float8, 1), w.workspace_id <= after_workspace,
        w.workspace_id
      limit wanted + 1
    ), candidates as (
      select c.workspace_id, c.is_new, c.share, n.run_id,
        c.held + row_number() over (partition by c.workspace_id order by n.priority, n.run_at) - 1 as held
      from contenders c cross join lateral (
        select q.run_id, q.priority, q.run_at from run_queue q
        where q.ticket is null and not q.is_later and not q.is_suspect and q.workspace_id = c.workspace_id
        order by q.priority, q.run_at limit wanted + 1
      ) n
    ), ordered as (
      select k.run_id, k.held, k.share, k.workspace_id, k.is_new, row_number() over (
        order by k.held / k.share, k.workspace_id <= after_workspace, k.workspace_id) as place
      from candidates k
    ), allowed as (
      select o.run_id, o.workspace_id, o.is_new, o.place from ordered o
      where o.place <= free
        and (is_alone or o.held = 0 or (free - o.place >= slots / 10.0 and o.held < o.share * (free - o.place + 1)))
    ), given as (
      select a.run_id, a.workspace_id, a.place from allowed a where a.is_new or not only_new order by a.place limit wanted
    )
    select array_agg(g.run_id order by g.place), (array_agg(g.workspace_id order by g.place desc))[1],
        (select count(*) from allowed) > count(*), (select count(*) from candidates) > count(*)
      into chosen, last_workspace, is_surplus, has_more
      from given g;

    last_workspace := coalesce(last_workspace, after_workspace);
    if chosen is not null then
      -- A lock is one more record in the log per run, so only rows that another transaction has locked or changed before are
      -- locked. Cancels between this look and the update are waited for; their transactions end soon.
      with contested as materialized (
        select f.run_id from unnest(chosen) as c (run_id) join run_queue f on f.run_id = c.run_id
          where f.xmax <> 0 for update of f skip locked
      ), taken as (
        update run_queue q set ticket = nextval('run_queue_tickets'), taken_by = of_pool, taken_at = present,
          attempts = q.attempts + 1
        from unnest(chosen) as c (run_id)
        where q.run_id = c.run_id and (q.xmax = 0 or q.run_id in (select f.run_id from contested f))
          and q.ticket is null and not q.is_later and not q.is_suspect
        returning q.run_id, q.ticket
      )
      select coalesce(array_agg(t.run_id), '{}'), coalesce(array_agg(t.ticket), '{}') into run_ids, tickets from taken t;
      if cardinality(run_ids) > 0 then
        job_ids := add_run_jobs(of_pool, run_ids, tickets);
      end if;
      -- Another transaction is changing the others.
      has_more := has_more or cardinality(run_ids) < cardinality(chosen);
    end if;
  end if;

  if is_surplus then
    left_queues := coalesce(own_queues, '{}');
    -- They are only read for an idle worker that shares some queues. Which of these runs it may take, it knows itself: the
    -- slots that count for it are others.
    if exists (select 1 from idle_workers i join worker_heartbeats h on h.pool_id = i.pool_id
      where i.pool_id <> of_pool and h.queues is not null and (own_queues is null or h.queues && own_queues)) then
      left_queues := array(
        with recursive waiting as (
          (select q.workspace_id from run_queue q where q.ticket is null and not q.is_later and not q.is_suspect
            order by q.workspace_id limit 1)
          union all
          select (select q.workspace_id from run_queue q where q.ticket is null and not q.is_later and not q.is_suspect
            and q.workspace_id > w.workspace_id order by q.workspace_id limit 1)
          from waiting w where w.workspace_id is not null
        )
        select distinct coalesce(s.queue, 'default') from waiting w left join workspaces s on s.id = w.workspace_id
        where w.workspace_id is not null);
    end if;
    delete from idle_workers i where i.pool_id <> of_pool and not exists (
      select 1 from worker_heartbeats h
      where h.pool_id = i.pool_id and h.queues is not null and not h.queues && left_queues);
    if found then
      -- A notice carries less than 8,000 bytes; one without queues is for all workers.
      perform pg_notify('runs_queued',
        case when cardinality(left_queues) <= 200 then array_to_string(left_queues, ',') else '' end);
    end if;
  elsif not is_idle and cardinality(run_ids) < wanted then
    insert into idle_workers (pool_id) values (of_pool) on conflict do nothing;
  end if;
end $$;
