-- lock_key: takes the lock of a key that only one transaction at a time may answer.
--
-- `lock`: the advisory lock. `waits`: waits up to 5 s for another transaction, then fails with lock_not_available.
-- Returns false, without waiting, if another transaction holds the lock and the caller must not wait for it.
-- Locks: this one, until the transaction ends.
-- Called by: create_runs, check_events.
-- SQL because: both lock in the middle of their work, and read what the other transaction wrote after that.
create or replace function lock_key(lock bigint, waits boolean) returns boolean language plpgsql as $$
begin
  if not waits then
    return pg_try_advisory_xact_lock(lock);
  end if;
  -- Equal requests at the same moment wait for the first and then find its answer; lock_timeout bounds the wait.
  perform set_config('lock_timeout', '5s', true);
  perform pg_advisory_xact_lock(lock);
  perform set_config('lock_timeout', '0', true);
  return true;
end $$;
