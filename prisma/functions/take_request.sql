-- take_request: spends one request of a key's sliding window of 60 seconds, and reports whose key it is and whether it is
-- still active.
--
-- The requests of the last 60 seconds are in rate_hits, numbered without gaps from `oldest` to `newest`; only the holder of
-- the key's row of rate_windows may change them. So the count is a subtraction, the first request still inside the window
-- is one step of the index, and requests that left the window are deleted once: the cost does not grow with the limit. The
-- clock is read after the lock, so that the times are in the order of the numbers. A refused request is not counted.
--
-- `window_limits` maps each plan to its requests; 0 is no limit.
-- Returns `state`: active, revoked, expired or unknown; only an active key spends anything. `reset_at` is the epoch second
-- in which the oldest counted request leaves the window, `retry_after` the seconds until then, at least 1.
-- Locks: the key's row of rate_windows, until the transaction ends.
-- Called by: `lib/domain/limits/take-request`.
-- SQL because: it locks first and reads after that. One plain statement cannot: its snapshot is older than its lock.
-- Several statements would be several round trips, and every request waits for this one.
create or replace function take_request(
  of_key uuid, window_limits jsonb,
  out state text, out workspace_id uuid, out plan text, out user_id uuid, out name text, out prefix text,
  out scopes text[], out action_slugs text[],
  out request_limit integer, out is_allowed boolean, out remaining integer, out reset_at bigint, out retry_after integer
) language plpgsql
-- PostgreSQL plans once per connection, possibly while the tables are empty; the plan must use the index.
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
  -- Nothing here has to survive a crash: the commit does not wait for the disk.
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
