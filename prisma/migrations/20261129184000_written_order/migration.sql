-- The input of a run, and the output of a step, with their keys as they were written: jsonb sorts them. Null if jsonb keeps
-- their order, if the original is sealed, and in rows of an earlier release. New columns without a default change only the
-- catalog, however many rows there are.
alter table runs add column input_written json;
alter table execution_events add column output_written json;
