-- A view of the list of runs that a person or a workspace saved. A personal view goes with the membership.
create table saved_views (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  user_id uuid,
  name text not null,
  settings jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint saved_views_member foreign key (workspace_id, user_id)
    references workspace_members (workspace_id, user_id) on delete cascade
);
-- A null user shares the view with the workspace, where its name is unique, too.
create unique index saved_views_name on saved_views (workspace_id, user_id, name) nulls not distinct;
