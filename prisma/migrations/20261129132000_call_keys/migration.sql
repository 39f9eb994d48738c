-- The idempotency keys of operations that create something other than the run of an action, whose keys idempotency_keys
-- has. `answer_sealed` is null while the first call is being answered. A call that takes over a key gets a new id, so that
-- the call before it can no longer answer.
create table call_keys (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  operation text not null,
  key text not null,
  payload_hash bytea not null,
  answer_sealed bytea,
  created_at timestamptz(3) not null default clock_timestamp(),
  unique (workspace_id, operation, key)
);
-- Retention finds the keys that no longer hold by this index.
create index call_keys_created_at_idx on call_keys (created_at);
