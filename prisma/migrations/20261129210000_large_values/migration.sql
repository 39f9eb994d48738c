-- The large values of packed events, each once. The events name them by their places (see fill_parts). A new column without
-- a default changes only the catalog.
alter table journal_ends add column large text[];

-- lz4 takes a tenth of the time of pglz for a large payload, but a server may be built without it. New values are compressed
-- with it; what is stored stays as it is. The setting of a table does not reach its partitions.
do $$
declare
  part record;
begin
  if (select 'lz4' = any (enumvals) from pg_settings where name = 'default_toast_compression') then
    for part in
      select c.oid::regclass::text as name, a.attname as payload
        from (values ('runs', '{input,input_written,output}'::text[]),
            ('execution_events', '{input_data,output_data,output_written}'), ('journal_ends', '{events,large}')) t (name, payloads)
          cross join lateral (select t.name::regclass as oid union select relid from pg_partition_tree(t.name::regclass)) c
          join pg_attribute a on a.attrelid = c.oid and a.attname = any (t.payloads)
        order by 1, 2
    loop
      execute format('alter table %s alter column %I set compression lz4', part.name, part.payload);
    end loop;
  end if;
end $$;
