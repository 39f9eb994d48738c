-- The sign-ins and security changes of one person, newest first.
create index audit_events_of_user on audit_events (object_id, at desc, id desc) where object_type = 'user';
