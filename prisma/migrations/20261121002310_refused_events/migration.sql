-- A delivery above a limit is refused and logged; it starts no run.
alter table trigger_deliveries drop constraint trigger_deliveries_verdict;
alter table trigger_deliveries add constraint trigger_deliveries_verdict check (verdict in ('accepted', 'duplicate',
  'invalid_signature', 'bad_request', 'missed', 'over_run_limit', 'over_run_quota'));
