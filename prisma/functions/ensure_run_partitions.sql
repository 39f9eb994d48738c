-- ensure_run_partitions: creates the partitions for every week that touches [from_at, to_at], in one transaction. See
-- missing_partitions and create_partition. A partition that fails is left for the next call, with a warning.
--
-- Returns the number of partitions it created.
-- Locks: those of create_partition, until the transaction ends, so it moves few rows.
-- Called by: `bench/load/seed-runs`, `bench/benchmarks/retention`, and the chores of earlier releases.
-- SQL because: earlier releases call it.
create or replace function ensure_run_partitions(from_at timestamptz, to_at timestamptz) returns integer language plpgsql as $$
declare
  made integer := 0;
  missing record;
begin
  for missing in select * from missing_partitions(from_at, to_at) loop
    begin
      perform create_partition(missing.parent, missing.part, missing.starts, missing.ends, 1000);
      made := made + 1;
    exception when others then
      raise warning 'the partition % was not created: %', missing.part, sqlerrm;
    end;
  end loop;
  return made;
end $$;
