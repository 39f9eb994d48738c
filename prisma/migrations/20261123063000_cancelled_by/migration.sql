-- Who cancelled a run, also of the runs below it: {type, id, name}. Until now only the audit log had it, and only for the
-- run that the request named. Null in runs that ended in another way, and in old runs below a cancelled one.
alter table runs add column cancelled_by jsonb;

-- A run has one such entry: a rejection that continued along a
-- branch left the run open, and the later entry counts.
update runs r set cancelled_by = a.by
  from (
    select distinct on (object_id) object_id,
      jsonb_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) as by
    from audit_events
    where object_type = 'run' and action in ('run.cancelled', 'run.rejected')
    order by object_id, at desc
  ) a
  where r.id = a.object_id::uuid and r.status = 'cancelled';
