-- Of step_started: how many earlier attempts the other side had answered. It is part of the attempt's idempotency key
-- (`:r<n>`), so an attempt that is taken up after a crash must send the same.
alter table execution_events add column answered_attempts integer;

-- Runs that seem to end their worker; almost always empty, looked at every second.
create index runs_suspect on runs (id) where stalled >= 2 and status = 'running';
