-- Of step_started: how many earlier attempts the other side had answered. It is part of the attempt's idempotency key
-- (`:r<n>`), so an attempt that is taken up after a crash must send the same.
alter table execution_events add column answered_attempts integer;
-- A step that began and ended in one write is one row: `step_completed` with its input, begun duration_ms before `at`.
comment on column execution_events.input_data is
  'inputData of step_started; on a step_completed row, of the step_started that has no row of its own';

-- Runs that seem to end their worker; almost always empty, looked at every second.
create index runs_suspect on runs (id) where stalled >= 2 and status in ('accepted', 'running');
