-- Requests to the addresses of steps that wait for a callback. A row exists once the step waits, or once a request has
-- arrived. `digest` recognizes a repeated request; `sealed` is the body and headers until the run is deleted.
create table callbacks (
  run_id uuid not null references runs (id) on delete cascade,
  node_id text not null,
  iteration text not null default '',
  workspace_id uuid not null references workspaces (id) on delete cascade,
  status text not null default 'waiting',
  opened_at timestamptz(3),
  expires_at timestamptz(3),
  received_at timestamptz(3),
  digest bytea,
  sealed bytea,
  primary key (run_id, node_id, iteration),
  constraint callbacks_status check (status in ('waiting', 'received', 'expired')),
  constraint callbacks_received check ((status = 'received') = (sealed is not null))
);
-- Deleting a workspace finds its rows by this index.
create index callbacks_workspace_id_idx on callbacks (workspace_id);

-- The key that signs the addresses of a workspace. It is sealed like every other secret, so that the addresses of runs
-- that wait for weeks outlive a change of the encryption key.
create table callback_secrets (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  secret_sealed bytea not null
);
