-- partition_ranges: returns the partitions of every partitioned table and the ids that each of them holds, from `starts`
-- to before `ends`. Default partitions, which hold the rest, are left out.
--
-- Locks: none.
-- Called by: missing_partitions, create_partition, `lib/domain/runs/retain/delete-old-runs`,
-- `lib/domain/runs/retain/drop-old-partitions`.
-- SQL because: PostgreSQL stores bounds as an expression, which one place reads.
create or replace function partition_ranges() returns table (parent text, part text, starts uuid, ends uuid)
language sql stable as $$
  select p.relname::text, c.relname::text, coalesce(bounds[1], '00000000-0000-0000-0000-000000000000')::uuid, bounds[2]::uuid
    from pg_inherits i
    join pg_class p on p.oid = i.inhparent and p.relkind = 'p' and p.relnamespace = current_schema()::regnamespace
    join pg_class c on c.oid = i.inhrelid
    cross join lateral regexp_match(pg_get_expr(c.relpartbound, c.oid),
      $re$FROM \((?:MINVALUE|'([^']+)')\) TO \('([^']+)'\)$re$) bounds
    where bounds is not null
$$;
