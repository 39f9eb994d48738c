-- journal_events: returns the journal of a run, however it is stored: as rows, or packed with the end of the run. Every
-- statement that reads journals reads them here.
--
-- PostgreSQL inlines it, as expand_journal says.
-- Locks: none.
-- Called by: `lib/domain/journal/copy-done-steps`,
-- `lib/domain/journal/checkpoints/load-progress`, `lib/domain/journal/checkpoints/load-outputs`,
-- `lib/domain/journal/checkpoints/copy-checkpoints`, `lib/domain/runs/create/assert-addresses`,
-- `lib/domain/runs/read/find-continued-nodes`, `lib/domain/runs/read/get-run-graph`, `lib/domain/runs/read/get-run-step`,
-- `lib/domain/runs/read/read-steps-page`, `lib/domain/runs/traces/read-journals`.
-- SQL because: it is a part of those statements.
create or replace function journal_events(of_run uuid) returns setof execution_events language sql stable as $$
  select * from expand_journal(of_run, true)
$$;
