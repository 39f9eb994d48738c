-- The OpenID Connect provider of OIDC_PROVIDERS that the session started from.
alter table user_sessions add column provider text;

-- The groups that the provider named at the last sign-in; null if it sent none.
alter table user_identities add column groups text[];

-- The provider whose groups keep this membership; null if people made it.
alter table workspace_members add column provider text;

-- How a provider's people become members of a workspace, and whether they must come through it.
create table workspace_sso (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  provider text not null,
  -- [{"group": text, "role": text}]
  group_roles jsonb not null default '[]',
  default_role text check (default_role in ('viewer', 'approver', 'editor', 'admin')),
  email_domains text[] not null default '{}',
  is_required boolean not null default false,
  updated_at timestamptz(3) not null default now()
);
create index workspace_sso_provider_idx on workspace_sso (provider);
