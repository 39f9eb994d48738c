-- ensure_run_partitions: creates the partitions for every week that touches [from_at, to_at]: weekly ones of the journal,
-- the checkpoints and the delivery logs, monthly ones of the audit log.
--
-- No unique index of a partitioned table can leave out its key, so each partition of trigger_deliveries has its own: an
-- event is accepted once a week. Between two weeks, accept_event looks and inserts under a lock of the event.
-- A time that the rows of before the partitions cover gets no partition in addition.
--
-- Returns the number of partitions it created.
-- Locks: while it creates a partition, the parent table and its default partition.
-- Called by: `lib/domain/runs/retain/create-partitions`; by the chores of earlier releases.
-- SQL because: a loop of catalog lookups and DDL is one round trip and one transaction.
create or replace function ensure_run_partitions(from_at timestamptz, to_at timestamptz) returns integer language plpgsql as $$
declare
  first_day constant timestamp := from_at at time zone 'UTC';
  last_day constant timestamp := to_at at time zone 'UTC';
  made integer := 0;
  part record;
begin
  for part in
    select parent, format('%s_%s', parent, to_char(starts, 'IYYY"w"IW')) as name, starts, starts + interval '7 days' as ends
      from generate_series(date_trunc('week', first_day), last_day, interval '7 days') starts
      cross join unnest(array['execution_events', 'run_checkpoints', 'trigger_deliveries', 'event_deliveries']) parent
    union all
    select 'audit_events', to_char(starts, '"audit_events_"YYYY"m"MM'), starts, starts + interval '1 month'
      from generate_series(date_trunc('month', first_day), last_day, interval '1 month') starts
  loop
    continue when to_regclass(part.name) is not null;
    begin
      execute format('create table %I partition of %I for values from (%L) to (%L)', part.name, part.parent,
        uuid_floor(part.starts at time zone 'UTC'), uuid_floor(part.ends at time zone 'UTC'));
    exception when invalid_object_definition then
      -- It overlaps the partition of the rows of before.
      continue;
    end;
    if part.parent = 'trigger_deliveries' then
      execute format($index$create unique index %I on %I (subscription_id, dedupe_key)
        where dedupe_key is not null and verdict = 'accepted'$index$, part.name || '_once', part.name);
    end if;
    made := made + 1;
  end loop;
  return made;
end $$;
