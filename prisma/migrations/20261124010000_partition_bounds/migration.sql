-- The delivery logs and the audit log become partitioned by time, in three transactions. Each takes strong locks for a
-- moment only, whatever the size of the tables, and the previous release runs through all of them:
-- 1. This one promises that the ids of today's rows, which are UUIDv7, are below a bound two to seven weeks ahead.
-- 2. The next one reads the tables to check the promise; reads and writes go on meanwhile.
-- 3. The last one makes each table the first partition of a partitioned table, up to its bound. With the checked promise
--    PostgreSQL reads no row for that.
--
-- Each attempt waits up to 100 ms for the tables: while it waits, later statements wait behind it.
do $$
declare
  attempt integer := 0;
  present constant timestamp := now() at time zone 'UTC';
  weekly constant uuid := uuid_floor(date_trunc('week', present + interval '21 days') at time zone 'UTC');
  monthly constant uuid := uuid_floor(date_trunc('month', present + interval '14 days' + interval '1 month') at time zone 'UTC');
begin
  perform set_config('lock_timeout', '100ms', true);
  loop
    begin
      lock table trigger_deliveries, event_deliveries, audit_events in access exclusive mode;
      exit;
    exception when lock_not_available or deadlock_detected then
      attempt := attempt + 1;
      if attempt = 300 then
        raise exception 'the delivery logs or the audit log are in use by a long transaction; end it and start again';
      end if;
      perform pg_sleep(0.2);
    end;
  end loop;
  execute format('alter table trigger_deliveries add constraint before_partitions check (id < %L::uuid) not valid', weekly);
  execute format('alter table event_deliveries add constraint before_partitions check (id < %L::uuid) not valid', weekly);
  execute format('alter table audit_events add constraint before_partitions check (id < %L::uuid) not valid', monthly);
end $$;
