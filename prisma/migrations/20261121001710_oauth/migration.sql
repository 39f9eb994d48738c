-- A person who is signing in at a service so that a connection gets its tokens: found again by the state that the service
-- sends back, once, for the same person in the same workspace.
create table oauth_authorizations (
  -- SHA-256 of the state: whoever reads the table can finish nothing with it.
  state_hash bytea primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  -- The connection that is signed in again; null where one is made.
  connection_id uuid,
  connector text not null,
  -- What was typed, the PKCE verifier, and where the person goes back to.
  sealed bytea not null,
  expires_at timestamptz(3) not null
);
create index oauth_authorizations_expires_at_idx on oauth_authorizations (expires_at);
