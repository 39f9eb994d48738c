-- journal_events: returns the journal of a run, however it is stored. Every statement that reads journals reads them here.
--
-- PostgreSQL inlines it, so conditions, order, and limit of the caller reach the indexes, and one partition is read. It
-- stays inlined only while it has no setting, is not strict, and is not volatile.
-- A migration that adds a column to execution_events also replaces this function: the rows must have all columns.
-- Locks: none.
-- Called by: `lib/domain/journal/read-events`, `lib/domain/journal/copy-done-steps`,
-- `lib/domain/journal/checkpoints/load-progress`, `lib/domain/journal/checkpoints/load-outputs`,
-- `lib/domain/journal/checkpoints/copy-checkpoints`, `lib/domain/runs/create/assert-addresses`,
-- `lib/domain/runs/read/find-continued-nodes`, `lib/domain/runs/read/get-run-graph`, `lib/domain/runs/read/get-run-step`,
-- `lib/domain/runs/read/read-steps-page`, `lib/domain/runs/read/run-tag`, `lib/domain/runs/traces/read-journals`.
-- SQL because: it is a part of those statements.
create or replace function journal_events(of_run uuid) returns setof execution_events language sql stable as $$
  select * from execution_events where run_id = of_run
$$;
