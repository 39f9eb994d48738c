-- take_requests: spends requests of keys' sliding windows of 60 seconds, and reports whose each key is and whether it is
-- still active. Requests of one key are spent together: PostgreSQL spends most of its time on starting statements, so ten
-- requests of a key cost little more than one.
--
-- The requests of the last 60 seconds are in rate_hits, numbered without gaps from `oldest` to `newest`; only the holder of
-- the key's row of rate_windows may change them. So the count is a subtraction, the first request still inside the window
-- is one step of the index, and requests that left the window are deleted once: the cost does not grow with the limit. The
-- clock is read after the lock, so that the times are in the order of the numbers. A refused request is not counted.
--
-- `of_keys`: the key of each request. `window_limits` maps each plan to its requests; 0 is no limit.
-- Returns for each request its `place` in of_keys, from 1; requests of a key are counted in that order. `state`: active,
-- revoked, expired or unknown; only an active key spends anything. `reset_at` is the epoch second in which the oldest
-- counted request leaves the window, `retry_after` the seconds until then, at least 1.
-- Locks: the keys' rows of rate_windows in the order of the keys, which is the same for every process, until the
-- transaction ends.
-- Called by: `lib/domain/limits/take-request`, `lib/domain/runs/read/find-run`.
-- SQL because: it locks first and reads after that. One plain statement cannot: its snapshot is older than its lock.
-- Several statements would be several round trips, and every request waits for this one.
create or replace function take_requests(of_keys uuid[], window_limits jsonb)
returns table (
  place bigint, state text, workspace_id uuid, plan text, user_id uuid, name text, prefix text, scopes text[],
  action_slugs text[], request_limit integer, is_allowed boolean, remaining integer, reset_at bigint, retry_after integer
) language plpgsql
-- Expected by the planner of the statements that join it: few.
rows 1
-- PostgreSQL plans once per connection, possibly while the tables are empty; the plan must read the first entry of the
-- index, and not all of the window.
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  given record;
  key record;
  present timestamptz := clock_timestamp();
  old_first_seq bigint;
  first_seq bigint;
  last_seq bigint;
  first_at timestamptz;
  -- The requests that still fit into the window.
  room integer;
  taken integer;
begin
  -- Nothing here has to survive a crash: the commit does not wait for the disk.
  perform set_config('synchronous_commit', 'off', true);

  for given in
    select k.id, array_agg(k.place order by k.place) as places
      from unnest(of_keys) with ordinality as k (id, place) group by k.id order by k.id
  loop
    select k.*, w.plan into key from api_keys k join workspaces w on w.id = k.workspace_id where k.id = given.id;
    state := case when key.id is null then 'unknown' when not key.is_active then 'revoked'
      when key.expires_at <= present then 'expired' else 'active' end;
    workspace_id := null;
    is_allowed := null;
    if state <> 'active' then
      foreach place in array given.places loop
        return next;
      end loop;
      continue;
    end if;
    workspace_id := key.workspace_id;
    plan := key.plan;
    user_id := key.created_by;
    name := key.name;
    prefix := key.prefix;
    scopes := key.scopes;
    action_slugs := key.action_slugs;
    request_limit := coalesce((window_limits ->> key.plan)::integer, (window_limits ->> 'free')::integer);
    room := null;
    remaining := null;
    reset_at := null;
    retry_after := null;

    if request_limit > 0 then
      select r.oldest, r.newest into old_first_seq, last_seq from rate_windows r where r.key_id = given.id for no key update;
      if not found then
        insert into rate_windows (key_id) values (given.id) on conflict do nothing;
        select r.oldest, r.newest into old_first_seq, last_seq from rate_windows r where r.key_id = given.id for no key update;
      end if;
      present := clock_timestamp();
      select h.seq, h.at into first_seq, first_at from rate_hits h
        where h.key_id = given.id and h.seq >= old_first_seq and h.at > present - interval '60 seconds'
        order by h.seq limit 1;
      first_seq := coalesce(first_seq, last_seq + 1);
      if first_seq > old_first_seq then
        delete from rate_hits h where h.key_id = given.id and h.seq >= old_first_seq and h.seq < first_seq;
      end if;
      room := greatest(request_limit - (last_seq - first_seq + 1), 0);
      taken := least(room, cardinality(given.places));
      if taken > 0 then
        insert into rate_hits (key_id, seq, at) select given.id, last_seq + n, present from generate_series(1, taken) n;
        last_seq := last_seq + taken;
      end if;
      if taken > 0 or first_seq > old_first_seq then
        update rate_windows r set oldest = first_seq, newest = last_seq where r.key_id = given.id;
      end if;
      first_at := coalesce(first_at, present) + interval '60 seconds';
      reset_at := floor(extract(epoch from first_at));
      retry_after := greatest(ceil(extract(epoch from first_at - present)), 1);
    end if;
    foreach place in array given.places loop
      is_allowed := room is null or room > 0;
      -- Without a limit, room is null and stays null.
      if room > 0 then room := room - 1; end if;
      remaining := room;
      return next;
    end loop;

    -- At most once a minute, so that a busy key is not rewritten with every request.
    if key.last_used_at is null or key.last_used_at < present - interval '1 minute' then
      update api_keys k set last_used_at = present
        where k.id = given.id and (k.last_used_at is null or k.last_used_at < present - interval '1 minute');
    end if;
  end loop;
end $$;
