-- The id of the key that a worker seals with; null for one of an older version.
alter table worker_heartbeats add column key_id text;
