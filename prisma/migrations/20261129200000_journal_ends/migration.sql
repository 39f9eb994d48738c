-- The events that a run writes together with its end, as one row with one index entry instead of a row with two index
-- entries for each event. `events` is the JSON that the worker sent: its ages count back from `at`, and its events have the
-- places `seq`, `seq` + 1, and so on in the journal.
create table journal_ends (
  run_id uuid not null,
  workspace_id uuid not null,
  seq bigint not null,
  at timestamptz(3) not null,
  events json not null,
  primary key (run_id)
) partition by range (run_id);
-- Compressed, and still in the row itself: each piece outside of it would be a row and an index entry of its own.
alter table journal_ends alter column events set storage main;

-- Retention drops a week only if all tables of steps have it.
do $$
declare
  part record;
begin
  for part in
    select replace(c.relname, 'execution_events', 'journal_ends') as name, pg_get_expr(c.relpartbound, c.oid) as bounds
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'execution_events'::regclass
  loop
    execute format('create table %I partition of journal_ends %s', part.name, part.bounds);
  end loop;
end $$;

-- The release before shows no steps of such a run. The table is used when the upgrade is over, a day later; an instance
-- without runs has no release before.
insert into instance_settings (name, value)
  select 'journal_ends_from', to_jsonb(now() + case when exists (select from runs) then interval '1 day' else '0' end);
