-- expand_journal: returns the journal of a run, however it is stored: as rows, or packed with the end of the run.
--
-- `fills`: whether payloads with large values are returned. False returns `true` in their place: to know that a payload is
-- there, a page without payloads must not build it.
--
-- PostgreSQL inlines it, so conditions and limits of the caller reach the indexes, and one partition of each table is read.
-- It stays inlined only while it has no setting, is not strict, and is not volatile. The rows are selected outside of their
-- subquery and the packed events inside: a subquery with a condition has no order, so a page would read the whole journal,
-- and a join reaches the index of the packed events only from inside.
-- The packed events have the types and defaults of the rows that `lib/domain/journal/append-events` writes.
-- A migration that adds a column to execution_events also replaces this function: the rows must have all columns.
-- Locks: none.
-- Called by: journal_events, `lib/domain/journal/read-events`.
-- SQL because: it is a part of those statements.
create or replace function expand_journal(of_run uuid, fills boolean)
returns setof execution_events language sql stable as $$
  select * from (
    select run_id, seq, workspace_id, node_id, iteration, kind, attempt, at, duration_ms, input_data, output_data, error, reused,
        answered_attempts, output_sealed, warnings, skip_reason, console, output_written
      from execution_events
    union all
    select j.run_id, j.seq + e.place - 1, j.workspace_id, e.node_id, coalesce(e.iteration, ''),
        coalesce(e.kind, 'step_completed'), coalesce(e.attempt, 1),
        (j.at - coalesce(e.age_ms, 0) * interval '1 millisecond')::timestamptz(3), e.duration_ms,
        coalesce(e.input_data, case when fills then fill_parts(e.input_parts, j.large)::jsonb
          when e.input_parts is not null then 'true'::jsonb end),
        coalesce(e.output_data::jsonb, case when fills then fill_parts(e.output_parts, j.large)::jsonb
          when e.output_parts is not null then 'true'::jsonb end), e.error,
        false, e.answered_attempts, e.output_sealed, e.warnings, e.skip_reason, e.console,
        case when e.output_is_written
          then coalesce(e.output_data, case when fills then fill_parts(e.output_parts, j.large)::json end) end
      from journal_ends j cross join lateral rows from (json_to_recordset(j.events) as (node_id text, iteration text,
        kind text, attempt integer, answered_attempts integer, age_ms double precision, duration_ms integer,
        input_data jsonb, output_data json, input_parts json, output_parts json, output_is_written boolean, error jsonb,
        output_sealed boolean, warnings json, skip_reason text, console json)) with ordinality as e (node_id, iteration, kind,
        attempt, answered_attempts, age_ms, duration_ms, input_data, output_data, input_parts, output_parts,
        output_is_written, error, output_sealed, warnings, skip_reason, console, place)
      where j.run_id = of_run
  ) e where e.run_id = of_run
$$;
