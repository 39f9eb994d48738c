-- create_partition: creates a partition of `parent` for the ids from `starts` to before `ends`, and moves the rows of this
-- range out of the default partition. PostgreSQL refuses a partition whose rows are in the default partition.
--
-- No unique index of a partitioned table can leave out its key, so each partition of trigger_deliveries has its own: an
-- event is accepted once a week. Between two weeks, check_events looks and inserts under a lock of the event.
--
-- `rows_max`: the most rows to move, because everything that uses the table waits for them; null moves any number. If
-- there are more, the error is program_limit_exceeded.
-- Returns the number of rows it moved; 0 if another process has created the partition.
-- Locks: until the transaction ends, the tables that `parent` refers to against writes, then `parent` and its default
-- partition. The order is that of check_events. A weaker lock of `parent` would be enough to attach a partition, but a waiting
-- insert would then fail, because it has already chosen the default partition.
-- Called by: `lib/domain/runs/retain/create-partitions`.
-- SQL because: a series of catalog lookups and DDL is one round trip and one transaction.
create or replace function create_partition(parent text, part text, starts uuid, ends uuid, rows_max integer)
returns integer language plpgsql as $$
declare
  -- The default partition.
  rest text;
  in_range text;
  referenced text;
  moved integer;
begin
  select t.partdefid::regclass, format('%1$I >= %2$L and %1$I < %3$L', a.attname, starts, ends) into rest, in_range
    from pg_partitioned_table t
    join pg_attribute a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0]
    where t.partrelid = create_partition.parent::regclass;
  if rows_max is not null then
    execute format('select count(*) from (select from %s where %s limit %s) r', rest, in_range, rows_max + 1) into moved;
    if moved > rows_max then
      raise program_limit_exceeded using message = format('%s has more than %s rows of the partition %s. To move them, '
        'stop the workers and run npm start -- --migrate.', rest, rows_max, part);
    end if;
  end if;

  for referenced in
    select distinct confrelid::regclass::text from pg_constraint
      where conrelid = create_partition.parent::regclass and contype = 'f' order by 1
  loop
    execute format('lock table %s in share row exclusive mode', referenced);
  end loop;
  execute format('lock table only %I in access exclusive mode', parent);
  execute format('lock table %s in access exclusive mode', rest);
  perform from partition_ranges() r
    where r.parent = create_partition.parent and r.starts < create_partition.ends and r.ends > create_partition.starts;
  if found then
    return 0;
  end if;

  -- Attaching builds the indexes and checks the foreign keys, faster than each row would. The identity is the parent's.
  execute format('create table %I (like %I including all excluding identity excluding indexes)', part, parent);
  execute format('with moved as (delete from %s where %s returning *) insert into %I select * from moved', rest, in_range,
    part);
  get diagnostics moved = row_count;
  if parent = 'trigger_deliveries' then
    execute format($index$create unique index %I on %I (subscription_id, dedupe_key)
      where dedupe_key is not null and verdict = 'accepted'$index$, part || '_once', part);
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, starts, ends);
  return moved;
end $$;
