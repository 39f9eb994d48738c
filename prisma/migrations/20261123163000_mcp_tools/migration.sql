-- The tools of a remote MCP server, as they were read last. They are json and not jsonb, because forms show the
-- properties of a schema in the order in which the server wrote them.
create table connection_tools (
  connection_id uuid primary key,
  workspace_id uuid not null,
  server json not null,
  tools json not null,
  left_out json not null,
  read_at timestamptz(3) not null default now(),
  stale_at timestamptz(3) not null,
  -- Why the last reading failed; null after one that succeeded.
  last_error text,
  unique (workspace_id, connection_id),
  foreign key (workspace_id, connection_id) references connections (workspace_id, id) on delete cascade
);

-- A server can change a tool at any time. A published version keeps each tool that its steps call as it was then, so that
-- a change is noticed and not guessed. The connection may be deleted before the version.
create table workflow_version_tools (
  workflow_version_id uuid not null references workflow_versions (id) on delete cascade,
  connection_id uuid not null,
  tool text not null,
  definition json not null,
  primary key (workflow_version_id, connection_id, tool)
);
