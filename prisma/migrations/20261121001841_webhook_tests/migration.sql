-- "Listen for a test event": an address of a workflow's own that starts nothing. It stays the same, so that a sender is
-- configured once; between the start and listens_until it takes one delivery, for whoever draws the workflow.
create table webhook_tests (
  -- Random (UUIDv4): the id is the address.
  id uuid primary key,
  workspace_id uuid not null,
  workflow_id uuid not null,
  -- Null while nobody listens.
  listens_until timestamptz(3),
  received_at timestamptz(3),
  -- What came, encrypted; an hour at most.
  event_sealed bytea,
  -- Why the last delivery since the start was refused.
  problem text,
  foreign key (workspace_id, workflow_id) references workflows (workspace_id, id) on delete cascade
);
create unique index webhook_tests_workspace_id_workflow_id_key on webhook_tests (workspace_id, workflow_id);
