-- create_run: creates one run, for a web process or worker of the previous release.
--
-- `of_run`: the columns of the row by name, without the sealed input. The other parameters: see create_runs.
-- `job`: with `announced_by_caller` in it, the caller notifies the workers. With `waits_for_no_key` in it, the outcome is
-- `in_progress` while an equal call holds the key.
-- Returns what create_runs returns.
-- Locks: those of create_runs.
-- Called by: statements of the previous release.
-- SQL because: it serves the previous release during an upgrade.
create or replace function create_run(
  of_run jsonb, sealed_input bytea, release_id uuid, policy text, user_limit integer, month_limit integer, refusal jsonb,
  idempotency_key text, payload_hash bytea, key_hours integer, job jsonb,
  out outcome text, out status text, out error jsonb, out created_at timestamptz, out retry_after integer
) language plpgsql as $$
begin
  select c.outcome, c.status, c.error, c.created_at, c.retry_after into outcome, status, error, created_at, retry_after
    from create_runs(json_build_array(of_run || jsonb_build_object(
      'sealed_input', encode(sealed_input, 'base64'), 'release_id', release_id, 'policy', policy, 'user_limit', user_limit,
      'month_limit', month_limit, 'refusal', refusal, 'idempotency_key', idempotency_key,
      'payload_hash', encode(payload_hash, 'base64'), 'delivery', null, 'moment', null)),
      key_hours, 0, not job ? 'waits_for_no_key') c;
  if status = 'accepted' and not job ? 'announced_by_caller' then
    perform pg_notify('runs_queued', '');
  end if;
end $$;
