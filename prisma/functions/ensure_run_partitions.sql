-- ensure_run_partitions: creates the weekly partitions of the journal and of the checkpoints for every week that touches
-- [from_at, to_at].
--
-- Returns the number of partitions it created.
-- Locks: while it creates a partition, the parent table and its default partition.
-- Called by: `worker/chores/chores`.
-- SQL because: a loop of catalog lookups and DDL is one round trip and one transaction.
create or replace function ensure_run_partitions(from_at timestamptz, to_at timestamptz) returns integer language plpgsql as $$
declare
  week timestamptz := date_trunc('week', from_at at time zone 'UTC') at time zone 'UTC';
  made integer := 0;
  parent text;
  part text;
begin
  while week <= to_at loop
    foreach parent in array array['execution_events', 'run_checkpoints'] loop
      part := parent || '_' || to_char(week at time zone 'UTC', 'IYYY"w"IW');
      if to_regclass(part) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)',
          part, parent, uuid_floor(week), uuid_floor(week + interval '7 days'));
        made := made + 1;
      end if;
    end loop;
    week := week + interval '7 days';
  end loop;
  return made;
end $$;
