-- lock_idempotency_keys: takes the locks that create_runs takes for these idempotency keys of an action, before any run of a
-- batch is created.
--
-- `wait_ms`: how long it waits for calls that hold one of the keys, for all keys together.
-- Returns the keys that other calls still hold.
-- Locks: until the transaction ends, one per key, in the order of the locks' numbers. Two batches with the same keys in
-- different orders never wait for each other in a circle, and no batch waits for a key while it holds the lock of a user
-- or a month (see create_runs).
-- Called by: `lib/domain/runs/create/insert-runs`.
-- SQL because: a hundred locks in one round trip, with one deadline.
create or replace function lock_idempotency_keys(of_workspace uuid, of_action text, keys text[], wait_ms integer)
returns setof text language plpgsql as $$
declare
  deadline constant timestamptz := clock_timestamp() + make_interval(secs => wait_ms / 1000.0);
  left_ms integer;
  wanted record;
begin
  for wanted in
    select distinct on (1) hashtextextended(concat_ws('|', of_workspace, of_action, k.key), 1) as lock, k.key
      from unnest(keys) as k (key) order by 1
  loop
    continue when pg_try_advisory_xact_lock(wanted.lock);
    left_ms := ceil(extract(epoch from deadline - clock_timestamp()) * 1000);
    if left_ms > 0 then
      begin
        perform set_config('lock_timeout', left_ms || 'ms', true);
        perform pg_advisory_xact_lock(wanted.lock);
        continue;
      exception when lock_not_available then
        null;
      end;
    end if;
    return next wanted.key;
  end loop;
  perform set_config('lock_timeout', '0', true);
end $$;
