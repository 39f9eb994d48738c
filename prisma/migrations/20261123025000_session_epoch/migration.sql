-- The epoch of a session that continued when all others of its user ended. Null: the epoch in its cookie counts.
alter table user_sessions add column epoch integer;
