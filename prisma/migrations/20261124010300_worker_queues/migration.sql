-- The queue that the runs of a workspace wait in, and the queues that a worker serves; null for a worker that serves all.
-- Adding the columns changes the catalog only. A worker of the previous release serves all queues.
alter table workspaces add column queue text not null default 'default';
alter table workspaces add constraint workspaces_queue check (queue ~ '^[a-z0-9][a-z0-9-]{0,31}$');
alter table worker_heartbeats add column queues text[];
