-- accept_event: creates the run of one event, for a web process or worker of the previous release.
--
-- `of_delivery`, `dedupe_hours`, `plan`, `moment`, `job`: see check_events and create_run. The others: see create_runs.
-- Returns `outcome` (accepted, or one of create_runs), the run's id and, of a created run, its status.
-- Locks: those of create_runs.
-- Called by: statements of the previous release.
-- SQL because: it serves the previous release during an upgrade.
create or replace function accept_event(
  of_delivery jsonb, dedupe_hours integer, plan text, moment jsonb, of_run jsonb, sealed_input bytea, user_limit integer,
  month_limit integer, refusal jsonb, job jsonb, refused_per_minute integer,
  out outcome text, out run_id uuid, out run_status text
) language plpgsql as $$
begin
  select case c.outcome when 'created' then 'accepted' else c.outcome end,
      case c.outcome when 'created' then c.id else c.run_id end, c.status
    into outcome, run_id, run_status
    from create_runs(json_build_array(of_run || jsonb_build_object(
      'sealed_input', encode(sealed_input, 'base64'), 'release_id', null, 'idempotency_key', null, 'user_limit', user_limit,
      'month_limit', month_limit, 'refusal', refusal, 'delivery', of_delivery, 'dedupe_hours', dedupe_hours, 'plan', plan,
      'moment', moment)), 0, refused_per_minute, not job ? 'waits_for_no_key') c;
  if run_status = 'accepted' and not job ? 'announced_by_caller' then
    perform pg_notify('runs_queued', '');
  end if;
end $$;
