-- journal_events: returns the journal of a run, however it is stored: as rows, or packed with the end of the run. Every
-- statement that reads journals reads them here.
--
-- PostgreSQL inlines it, so conditions and limits of the caller reach the indexes, and one partition of each table is read.
-- It stays inlined only while it has no setting, is not strict, and is not volatile. The rows are selected outside of their
-- subquery and the packed events inside: a subquery with a condition has no order, so a page would read the whole journal,
-- and a join reaches the index of the packed events only from inside.
-- The packed events have the types and defaults of the rows that `lib/domain/journal/append-events` writes.
-- A migration that adds a column to execution_events also replaces this function: the rows must have all columns.
-- Locks: none.
-- Called by: `lib/domain/journal/read-events`, `lib/domain/journal/copy-done-steps`,
-- `lib/domain/journal/checkpoints/load-progress`, `lib/domain/journal/checkpoints/load-outputs`,
-- `lib/domain/journal/checkpoints/copy-checkpoints`, `lib/domain/runs/create/assert-addresses`,
-- `lib/domain/runs/read/find-continued-nodes`, `lib/domain/runs/read/get-run-graph`, `lib/domain/runs/read/get-run-step`,
-- `lib/domain/runs/read/read-steps-page`, `lib/domain/runs/traces/read-journals`.
-- SQL because: it is a part of those statements.
create or replace function journal_events(of_run uuid) returns setof execution_events language sql stable as $$
  select * from (
    select run_id, seq, workspace_id, node_id, iteration, kind, attempt, at, duration_ms, input_data, output_data, error, reused,
        answered_attempts, output_sealed, warnings, skip_reason, console, output_written
      from execution_events
    union all
    select j.run_id, j.seq + e.place - 1, j.workspace_id, e.node_id, coalesce(e.iteration, ''), e.kind, coalesce(e.attempt, 1),
        (j.at - e.age_ms * interval '1 millisecond')::timestamptz(3), e.duration_ms,
        coalesce(e.input_data, fill_parts(e.input_parts, j.large)::jsonb),
        coalesce(e.output_data, fill_parts(e.output_parts, j.large)::jsonb), e.error,
        false, e.answered_attempts, e.output_sealed, e.warnings, e.skip_reason, e.console,
        case when e.output_is_written then fill_parts(e.output_parts, j.large)::json else e.output_written end
      from journal_ends j cross join lateral rows from (json_to_recordset(j.events) as (node_id text, iteration text,
        kind text, attempt integer, answered_attempts integer, age_ms double precision, duration_ms integer,
        input_data jsonb, output_data jsonb, input_parts json, output_parts json, output_written json,
        output_is_written boolean, error jsonb, output_sealed boolean, warnings json,
        skip_reason text, console json)) with ordinality as e (node_id, iteration, kind, attempt, answered_attempts, age_ms,
        duration_ms, input_data, output_data, input_parts, output_parts, output_written, output_is_written, error, output_sealed, warnings, skip_reason, console, place)
      where j.run_id = of_run
  ) e where e.run_id = of_run
$$;
