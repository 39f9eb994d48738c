-- What was mailed in the last day, by workspace and by address: invites themselves end, and would be counted no more.
create table invite_mails (
  -- The invite's.
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  email text not null,
  created_at timestamptz(3) not null default now()
);
create index invite_mails_workspace_id_created_at_idx on invite_mails (workspace_id, created_at);
create index invite_mails_email_created_at_idx on invite_mails (email, created_at);
create index invite_mails_created_at_idx on invite_mails (created_at);
