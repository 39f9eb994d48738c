-- missing_partitions: returns the partitions to create: those for every week that touches [from_at, to_at], and those of
-- earlier weeks whose rows are in a default partition. The audit log has months instead of weeks.
--
-- A time that another partition covers needs none.
-- Rows of later weeks in a default partition, for example of a machine whose clock is ahead, get their partition when
-- [from_at, to_at] reaches them.
-- Locks: none.
-- Called by: `lib/domain/runs/retain/create-partitions`.
-- SQL because: the name and the key of each table come from the catalog.
create or replace function missing_partitions(from_at timestamptz, to_at timestamptz)
returns table (parent text, part text, starts uuid, ends uuid) language plpgsql stable as $$
declare
  log record;
begin
  for log in
    select c.relname as name, a.attname as key, t.partdefid::regclass::text as rest,
        case c.relname when 'audit_events' then 'month' else 'week' end as unit,
        case c.relname when 'audit_events' then '_YYYY"m"MM' else '_IYYY"w"IW' end as suffix
      from pg_partitioned_table t
      join pg_class c on c.oid = t.partrelid and c.relnamespace = current_schema()::regnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum = t.partattrs[0]
      order by c.relname
  loop
    -- `strays` reads one row for each week in the default partition, from its index.
    return query execute format($query$
      with recursive strays (period) as (
        select date_trunc(%2$L, uuid_moment((select %3$I from %4$s order by %3$I limit 1)) at time zone 'UTC')
        union all
        select date_trunc(%2$L, uuid_moment((select s.%3$I from %4$s s
            where s.%3$I >= uuid_floor((strays.period + interval '1 %2$s') at time zone 'UTC') order by s.%3$I limit 1))
            at time zone 'UTC')
          from strays where strays.period < $1
      ), periods (period) as (
        select period from strays where period < $1
        union
        select generate_series(date_trunc(%2$L, $1), $2, interval '1 %2$s')
      )
      select %1$L, %1$L || to_char(p.period, %5$L), b.starts, b.ends
        from periods p
        cross join lateral (select uuid_floor(p.period at time zone 'UTC') as starts,
          uuid_floor((p.period + interval '1 %2$s') at time zone 'UTC') as ends) b
        where not exists (select from partition_ranges() r
          where r.parent = %1$L and r.starts < b.ends and r.ends > b.starts)
        order by p.period
    $query$, log.name, log.unit, log.key, log.rest, log.suffix)
      using from_at at time zone 'UTC', to_at at time zone 'UTC';
  end loop;
end $$;
