-- When the worker that took the run read it. A worker that dies before had no part of it, so the run is not blamed.
alter table run_queue add column opened_at timestamptz(6);
-- What the journal of a parked run contains, as JSON; null if a worker may have written to it since.
alter table runs add column journal_bytes integer;
