-- The drafts and versions of each workspace, in bytes of JSON (the function count_definitions keeps it). A save reads one
-- row instead of a sum over all of them.
create table definition_sizes (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  bytes bigint not null
);
insert into definition_sizes (workspace_id, bytes)
  select workspace_id, sum(octet_length(definition::text)) from (
    select workspace_id, draft as definition from workflows
    union all select workspace_id, definition from workflow_versions) d
  group by workspace_id;
