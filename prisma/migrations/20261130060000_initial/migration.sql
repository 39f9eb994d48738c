-- The whole data model. Ids are UUIDv7 that the application makes, so that a primary key orders rows by creation. Every
-- row of a tenant has workspace_id, and foreign keys between such rows include it: the database refuses a row that points
-- into another workspace. SQL functions and triggers are in prisma/functions, which are applied after the migrations.

-- People -------------------------------------------------------------------------------------------------------------

create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  -- Null for a person who signs in only through another service.
  password_hash text,
  -- Raised to end all sessions of the user at once.
  session_epoch integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint users_email_lower check (email = lower(email))
);
create unique index users_email_key on users (email);

-- The accounts of other services that a person signs in with.
create table user_identities (
  provider text not null,
  -- The service's own id of the account: addresses and names change hands, this does not.
  subject text not null,
  user_id uuid not null references users (id) on delete cascade,
  -- The address that the service had verified when the two were connected.
  email text not null,
  -- The groups that the provider named at the last sign-in; null if it sent none.
  groups text[],
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  primary key (provider, subject)
);
create index user_identities_user_id_idx on user_identities (user_id);

-- Where a person is signed in. The cookie names its row; without the row the session is over.
create table user_sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  method text not null,
  -- The second factor of the sign-in, and when the person last proved who they are.
  second_factor text,
  verified_at timestamptz(3) not null default now(),
  user_agent text not null,
  address text not null,
  -- The epoch of a session that continued when all others of its user ended. Null: the epoch in its cookie counts.
  epoch integer,
  -- The OpenID Connect provider of OIDC_PROVIDERS that the session started from, and the session there, which a
  -- back-channel logout names.
  provider text,
  provider_sid text,
  -- The issuer and the subject of the person at that provider. A logout that names the person finds the session by it,
  -- also after the person disconnected the account.
  provider_subject text,
  -- The ID token of the sign-in, which the provider asks for when the person signs out there.
  id_token_sealed bytea,
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now()
);
create index user_sessions_user_id_idx on user_sessions (user_id);
create index user_sessions_last_seen_at_idx on user_sessions (last_seen_at);
create index user_sessions_provider_sid_idx on user_sessions (provider, provider_sid) where provider is not null;
create index user_sessions_provider_subject_idx on user_sessions (provider_subject) where provider_subject is not null;

-- Failed sign-ins, per account and per address. Attempts wait longer and longer, and are forgotten one by one: both
-- depend on the last attempt.
create table sign_in_attempts (
  subject text primary key,
  failures integer not null default 0,
  last_at timestamptz(3) not null default now()
);
create index sign_in_attempts_last_at_idx on sign_in_attempts (last_at);

-- Tokens of finished sign-ins, until they expire: none works twice.
create table used_sign_in_tokens (
  id uuid primary key,
  expires_at timestamptz(3) not null,
  -- When the token was used, or when the provider ended what the row names.
  used_at timestamptz(3) not null default now()
);
create index used_sign_in_tokens_expires_at_idx on used_sign_in_tokens (expires_at);

-- The authenticator app of a person. It counts only after a first code confirmed it.
create table user_totp (
  user_id uuid primary key references users (id) on delete cascade,
  secret_sealed bytea not null,
  confirmed_at timestamptz(3),
  -- The time step of the last accepted code: a code works once, and no older one works after it.
  last_step bigint,
  created_at timestamptz(3) not null default now()
);

create table user_passkeys (
  -- The id of the WebAuthn credential, base64url.
  id text primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  public_key bytea not null,
  -- Signatures so far, if the authenticator counts them. A counter that does not increase shows a copied key.
  counter bigint not null,
  transports text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create index user_passkeys_user_id_idx on user_passkeys (user_id);

create table user_recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);

-- The newest request of a user for a link that sets a new password. One row per user, so requests cannot fill the table.
create table password_resets (
  user_id uuid primary key references users (id) on delete cascade,
  -- Requests in the day that started with the first one: mail to one address is limited.
  requests integer not null default 1,
  first_requested_at timestamptz(3) not null default now(),
  requested_at timestamptz(3) not null default now(),
  -- Of the link in the newest email. Null before the email and after the link was used.
  token_hash bytea unique,
  expires_at timestamptz(3),
  next_mail_at timestamptz(3),
  mail_attempts integer not null default 0
);
create index password_resets_next_mail_at_idx on password_resets (next_mail_at);

-- Workspaces ---------------------------------------------------------------------------------------------------------

create table workspaces (
  id uuid primary key,
  slug text not null,
  name text not null,
  plan text not null default 'free',
  time_zone text not null default 'UTC',
  forbid_self_approval boolean not null default false,
  require_two_step boolean not null default false,
  redact_outputs boolean not null default false,
  run_retention_days integer,
  -- The queue that the runs of the workspace wait in.
  queue text not null default 'default',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint workspaces_plan check (plan in ('free', 'starter', 'pro', 'business')),
  constraint workspaces_queue check (queue ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
  constraint workspaces_retention check (run_retention_days between 1 and 3650)
);
create unique index workspaces_slug_key on workspaces (slug);

create table workspace_members (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  role text not null,
  -- The provider whose groups keep this membership; null if people made it.
  provider text,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, user_id),
  constraint workspace_members_role check (role in ('viewer', 'approver', 'editor', 'admin', 'owner'))
);
create index workspace_members_user_id_idx on workspace_members (user_id);

-- An invite with an email waits here, in the transaction that made it, until a worker has sent the email.
create table workspace_invites (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  email text not null,
  role text not null,
  -- SHA-256 of the token in the link; the token itself is never stored.
  token_hash bytea not null,
  invited_by uuid references users (id) on delete set null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  -- The link, encrypted, until the email is sent or given up.
  link_sealed bytea,
  mail_attempts integer not null default 0,
  -- Null if nothing is left to send.
  next_mail_at timestamptz(3),
  mailed_at timestamptz(3),
  mail_error text,
  created_at timestamptz(3) not null default now(),
  constraint workspace_invites_role check (role in ('viewer', 'approver', 'editor', 'admin', 'owner'))
);
create unique index workspace_invites_token_hash_key on workspace_invites (token_hash);
create index workspace_invites_workspace_id_idx on workspace_invites (workspace_id);
create index workspace_invites_next_mail_at_idx on workspace_invites (next_mail_at);

-- The invites mailed in the last day, by workspace and by address: invites themselves end, and would no longer count.
create table invite_mails (
  -- The id of the invite.
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  email text not null,
  created_at timestamptz(3) not null default now()
);
create index invite_mails_workspace_id_created_at_idx on invite_mails (workspace_id, created_at);
create index invite_mails_email_created_at_idx on invite_mails (email, created_at);
create index invite_mails_created_at_idx on invite_mails (created_at);

-- How a provider's people become members of a workspace, and whether they must come through it.
create table workspace_sso (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  provider text not null,
  -- The issuer of the provider when the rule was saved: a name in OIDC_PROVIDERS must not come to mean another issuer.
  issuer text,
  -- [{"group": text, "role": text}]
  group_roles jsonb not null default '[]',
  default_role text check (default_role in ('viewer', 'approver', 'editor', 'admin')),
  email_domains text[] not null default '{}',
  is_required boolean not null default false,
  updated_at timestamptz(3) not null default now()
);
create index workspace_sso_provider_idx on workspace_sso (provider);

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

-- Workflows, versions, actions ---------------------------------------------------------------------------------------

create table workflows (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  name text not null,
  description text,
  type text not null,
  -- json, not jsonb, which sorts the keys of objects: what a step sends has its keys in the order in which they were
  -- written. Queries that need an operator of jsonb cast it.
  draft json not null,
  -- Counts changes of the draft; publishing does not change it.
  draft_revision integer not null default 1,
  -- What people write next to the steps of a draft, and the direction in which it is drawn. Neither is part of its
  -- definition: no version holds them, and no run reads them.
  canvas_notes jsonb not null default '[]',
  canvas_orientation text not null default 'vertical' check (canvas_orientation in ('vertical', 'horizontal')),
  -- What a person sorts workflows by; a few short words each.
  tags text[] not null default '{}',
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  -- Soft deletion: the row is deleted 30 days later.
  deleted_at timestamptz(3),
  constraint workflows_type check (type in ('event_driven', 'callable')),
  constraint workflows_revision check (draft_revision > 0)
);
create unique index workflows_workspace_id_id_key on workflows (workspace_id, id);
create index workflows_workspace_id_created_at_id_idx on workflows (workspace_id, created_at desc, id desc);

create table workflow_versions (
  id uuid primary key,
  workspace_id uuid not null,
  workflow_id uuid not null,
  version integer not null,
  status text not null,
  definition json not null,
  -- json, not jsonb: the order of the properties is the order of the fields that a person is shown.
  input_schema json,
  output_schema json,
  note text,
  published_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  foreign key (workspace_id, workflow_id) references workflows (workspace_id, id) on delete cascade,
  constraint workflow_versions_status check (status in ('deployed', 'archived')),
  constraint workflow_versions_version check (version > 0)
);
create unique index workflow_versions_workspace_id_id_key on workflow_versions (workspace_id, id);
create unique index workflow_versions_workflow_id_version_key on workflow_versions (workflow_id, version);
-- Publishing archives the previous deployed version (contract, Workflow version).
create unique index workflow_versions_one_deployed on workflow_versions (workflow_id) where status = 'deployed';

-- The drafts and versions of each workspace, in bytes of JSON (count_definitions keeps it). A save reads one row instead
-- of a sum over all of them.
create table definition_sizes (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  bytes bigint not null
);

create table actions (
  id uuid primary key,
  workspace_id uuid not null,
  workflow_id uuid not null,
  slug text not null,
  status text not null default 'active',
  approval_policy text not null default 'never',
  current_release_id uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  foreign key (workspace_id, workflow_id) references workflows (workspace_id, id) on delete restrict,
  constraint actions_status check (status in ('active', 'paused', 'archived')),
  constraint actions_approval_policy check (approval_policy in ('never', 'always')),
  constraint actions_slug check (slug ~ '^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$')
);
create unique index actions_workspace_id_id_key on actions (workspace_id, id);
create unique index actions_workspace_id_slug_key on actions (workspace_id, slug);
create unique index actions_workspace_id_workflow_id_key on actions (workspace_id, workflow_id);
create index actions_workspace_id_created_at_id_idx on actions (workspace_id, created_at desc, id desc);

create table action_releases (
  id uuid primary key,
  workspace_id uuid not null,
  action_id uuid not null,
  workflow_version_id uuid not null,
  -- The number of the workflow version that it releases, so that "v4" means one thing everywhere.
  version integer not null,
  breaking boolean not null default false,
  changes jsonb not null default '[]',
  deployed_by uuid references users (id) on delete set null,
  deployed_at timestamptz(3) not null default now(),
  foreign key (workspace_id, action_id) references actions (workspace_id, id) on delete cascade,
  foreign key (workspace_id, workflow_version_id) references workflow_versions (workspace_id, id) on delete restrict,
  constraint action_releases_version check (version > 0)
);
create unique index action_releases_action_id_version_key on action_releases (action_id, version);
create index action_releases_workflow_version_id_idx on action_releases (workflow_version_id);
-- The two tables refer to each other.
alter table actions add foreign key (current_release_id) references action_releases (id) on delete set null;

-- Connectors and connections -----------------------------------------------------------------------------------------

create table connectors (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  slug text not null,
  name text not null,
  version integer not null default 1,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index connectors_workspace_id_slug_key on connectors (workspace_id, slug);

-- A custom connector that is built again must not change what runs of published workflows call: each build is a version,
-- and a workflow version keeps those that it was published with. A version of a connector that nothing keeps is deleted
-- with the next build.
create table connector_versions (
  connector_id uuid not null references connectors (id) on delete cascade,
  version integer not null,
  definition jsonb not null,
  -- What the build changed and who asked for it, so that people can read how the connector came to be.
  changes jsonb,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  primary key (connector_id, version)
);

create table workflow_version_connectors (
  workflow_version_id uuid not null references workflow_versions (id) on delete cascade,
  slug text not null,
  connector_id uuid not null,
  connector_version integer not null,
  primary key (workflow_version_id, slug),
  foreign key (connector_id, connector_version) references connector_versions (connector_id, version) on delete cascade
);
create index workflow_version_connectors_connector_id_connector_version_idx
  on workflow_version_connectors (connector_id, connector_version);

create table connector_builds (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  connector_slug text not null,
  status text not null default 'queued',
  progress integer not null default 0,
  input jsonb not null,
  errors jsonb not null default '[]',
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  constraint connector_builds_status check (status in ('queued', 'building', 'ready', 'failed')),
  constraint connector_builds_progress check (progress between 0 and 100)
);
create index connector_builds_workspace_id_created_at_id_idx on connector_builds (workspace_id, created_at desc, id desc);

create table connections (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  connector text not null,
  name text not null,
  status text not null default 'connected',
  credentials_sealed bytea not null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  last_error text,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint connections_status check (status in ('connected', 'expired', 'failed'))
);
create unique index connections_workspace_id_id_key on connections (workspace_id, id);
create unique index connections_workspace_id_connector_name_key on connections (workspace_id, connector, name);

-- A person who is signing in at a service so that a connection gets its tokens. The state that the service sends back
-- finds the row once, for the same person in the same workspace.
create table oauth_authorizations (
  -- SHA-256 of the state: reading the table is not enough to finish a sign-in.
  state_hash bytea primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  -- The connection that is signed in again; null if one is created.
  connection_id uuid,
  connector text not null,
  -- What was typed, the PKCE verifier, and where the person returns to.
  sealed bytea not null,
  expires_at timestamptz(3) not null
);
create index oauth_authorizations_expires_at_idx on oauth_authorizations (expires_at);

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

-- A breaker protects one destination: a connection, and for HTTP requests an origin. Tests of drafts have their own.
create table circuit_breakers (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references workspaces (id) on delete cascade,
  connector text not null,
  connection_id uuid references connections (id) on delete cascade,
  origin text,
  is_test boolean not null default false,
  state text not null default 'closed',
  failures timestamptz[] not null default '{}',
  -- Of the last failure that counted, sanitized and cut.
  last_error text,
  opened_at timestamptz(3),
  retry_at timestamptz(3),
  probe_started_at timestamptz(3),
  constraint circuit_breakers_state check (state in ('closed', 'open', 'half_open'))
);
create unique index circuit_breakers_destination
  on circuit_breakers (workspace_id, connector, is_test, origin, connection_id) nulls not distinct;
create index circuit_breakers_connection on circuit_breakers (connection_id);

-- API keys -----------------------------------------------------------------------------------------------------------

create table api_keys (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  created_by uuid not null references users (id) on delete restrict,
  name text not null,
  -- Eight characters in clear; the secret only as sha256(salt || raw key) (contract, API key).
  prefix text not null,
  salt bytea not null,
  secret_hash bytea not null,
  scopes text[] not null,
  -- Null means every action of the workspace.
  action_slugs text[],
  is_active boolean not null default true,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  rotated_from_id uuid references api_keys (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  constraint api_keys_prefix check (length(prefix) = 8),
  constraint api_keys_salt check (length(salt) = 16),
  constraint api_keys_hash check (length(secret_hash) = 32),
  constraint api_keys_revoked check (is_active = (revoked_at is null)),
  constraint api_keys_scopes check (scopes <@ array['actions:read', 'actions:run', 'runs:read', 'approvals:decide',
    'connectors:read', 'connectors:write', 'workflows:read', 'workflows:write', 'workflows:run'])
);
create index api_keys_prefix_idx on api_keys (prefix);
create index api_keys_workspace_id_created_at_id_idx on api_keys (workspace_id, created_at desc, id desc);

-- The sliding window of each key: one row per key holds the ends of its window, one row per counted request its time.
-- Taking a request touches the newest and the oldest only, whatever the limit. Unlogged, because a window is at most 60
-- seconds old: a crash of PostgreSQL forgets it, and no commit waits for the disk.
create unlogged table rate_windows (
  key_id uuid primary key,
  newest bigint not null default 0,
  oldest bigint not null default 1
-- A row that changes with every request finds room for its next version on its own page.
) with (fillfactor = 50);
create unlogged table rate_hits (
  key_id uuid not null,
  seq bigint not null,
  at timestamptz not null,
  primary key (key_id, seq)
);

-- How a key is used, by the hour: counted in memory by the web processes and added up here every few seconds.
create table key_requests (
  key_id uuid not null references api_keys (id) on delete cascade,
  hour timestamptz(3) not null,
  -- Empty if the request reached no operation (401, 429).
  operation text not null,
  -- The HTTP status in which it ended or would have ended, on MCP too; 200 for every success.
  status smallint not null,
  requests integer not null,
  last_at timestamptz(3) not null default now(),
  primary key (key_id, hour, operation, status)
);

-- Runs ---------------------------------------------------------------------------------------------------------------

-- Stored results need the function before the table (see prisma/functions/error_words.sql).
create function error_words(workspace_id uuid, error jsonb) returns tsvector language sql immutable parallel safe
set search_path = pg_catalog as $$
  select array_to_tsvector(array[workspace_id::text]) || to_tsvector('simple', regexp_replace(
    coalesce(error ->> 'code', '') || ' ' || coalesce(error ->> 'step_name', '') || ' ' || coalesce(error ->> 'message', ''),
    '[^[:alnum:]]+', ' ', 'g'))
$$;

create table runs (
  id uuid primary key,
  workspace_id uuid not null,
  workflow_id uuid not null,
  -- Null for a test run of a draft, whose definition is in `definition`.
  workflow_version_id uuid,
  definition json,
  action_id uuid,
  action_slug text,
  action_release_version integer,
  source text not null,
  dry_run boolean not null default false,
  -- Sanitized, as everything that is read back. If sanitizing changed something, input_sealed keeps the caller's own
  -- values, encrypted, for the worker alone. input_written has the keys as they were written, which jsonb sorts; null if
  -- jsonb keeps their order, or if the original is sealed.
  input jsonb not null,
  input_written json,
  input_sealed bytea,
  correlation_id text not null,
  traceparent text,
  resume_from_run_id uuid references runs (id) on delete set null,
  resume_from_step_id text,
  parent_run_id uuid references runs (id) on delete set null,
  parent_step text,
  depth integer not null default 0,
  -- The user whose runs per hour this one counts against.
  user_id uuid references users (id) on delete set null,
  api_key_id uuid references api_keys (id) on delete set null,
  -- The actions that a run and its sub-runs may run, if a key that is limited to some actions started it; null is no limit.
  allowed_action_slugs text[],
  subscription_id uuid,
  created_at timestamptz(3) not null default now(),
  -- From here on, what changes while a run is executed. PostgreSQL writes to the log what an update changes, from the first
  -- to the last byte: the columns above would be in the log twice.
  status text not null default 'accepted',
  started_at timestamptz(3),
  completed_at timestamptz(3),
  -- Running time used up before the present claim; waiting for approval does not count.
  running_ms integer not null default 0,
  claimed_at timestamptz(3),
  lease_owner text,
  lease_token bigint not null default 0,
  recoveries integer not null default 0,
  -- Losses of a worker in a row without a step completed in between.
  stalled integer not null default 0,
  done_at_recovery integer not null default 0,
  -- The retries that a parked run waits for: the attempt that failed, its error, and when the next one starts. A journal
  -- shows a retry only when its attempt starts.
  retries jsonb,
  -- What the journal of a parked run contains, as JSON; null if a worker may have written to it since.
  journal_bytes integer,
  -- json, not jsonb: it is the caller's answer, and comes back in the order in which the workflow wrote it.
  output json,
  output_sealed bytea,
  -- True if a caller gets the sealed original of the output. Null if the output was not sealed, and for a run that ended in
  -- a workspace that redacts outputs: its callers get `output`.
  serves_sealed_output boolean,
  error jsonb,
  warnings json,
  -- Who cancelled a run, also of the runs below it: {type, id, name}. Null in runs that ended in another way.
  cancelled_by jsonb,
  -- As a column, not as an expression of the index: a page of a common word is read newest run first, and must not compute
  -- the words of each row again. Of a column PostgreSQL also knows which words are common.
  error_words tsvector generated always as (case when error is not null then error_words(workspace_id, error) end) stored,
  -- The list of runs groups errors that are the same but for ids and numbers: same workflow, step and code, and the same
  -- message with every UUID, long hexadecimal id and number left out. HTTP statuses, which are three digits from 100 to
  -- 599, stay: a 404 is another problem than a 500. Only the start of a message counts, which bounds the work per error.
  -- As a column, so that grouping the newest errors of a time range reads an index alone.
  error_group uuid generated always as (
    case when error is not null then
      md5(workflow_id::text || chr(10) || coalesce(error ->> 'step_id', '') || chr(10) || coalesce(error ->> 'code', '')
        || chr(10) || regexp_replace(regexp_replace(regexp_replace(left(coalesce(error ->> 'message', ''), 300),
          '[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}', '#', 'gi'),
          '\m(?=[a-f]*[0-9])[0-9a-f]{8,}\M', '#', 'gi'),
          '(?<![0-9])(?!\m[1-5][0-9]{2}\M)[0-9]+', '#', 'g'))::uuid
    end) stored,
  -- PostgreSQL writes an entry into every index of a table for an updated row if a column of one of the indexes has
  -- changed, also of a condition. So no index names the status, and the end of a run touches no index: a run that is
  -- accepted and then succeeds, as almost all do, never appears here. Accepted runs are found in run_queue.
  indexed_status text generated always as (case when status not in ('accepted', 'succeeded') then status end) stored,
  foreign key (workspace_id, workflow_id) references workflows (workspace_id, id) on delete cascade,
  foreign key (workspace_id, workflow_version_id) references workflow_versions (workspace_id, id) on delete cascade,
  foreign key (workspace_id, action_id) references actions (workspace_id, id) on delete cascade,
  constraint runs_source check (source in ('action', 'webhook', 'schedule', 'manual', 'replay', 'test', 'dry_run')),
  constraint runs_status check (status in ('accepted', 'running', 'waiting_for_approval', 'succeeded', 'failed',
    'cancelled', 'timed_out')),
  constraint runs_completed check ((completed_at is not null) = (status in ('succeeded', 'failed', 'cancelled', 'timed_out'))),
  constraint runs_definition check (workflow_version_id is not null or definition is not null)
-- Room for the ended row in the page of the accepted one. Measured with 1,500 runs that were accepted faster than executed:
-- at 70, one in four ends went to another page, with entries in all indexes; at 60, one in 25; at 50, one in 50.
) with (fillfactor = 60);
-- Runs are created in the order of time. An index whose time ascends grows at its right edge, where a full page is left
-- full; if time descends, it grows in its middle, halving pages and writing each half to the log. A list reads the same
-- index backwards and comes to the newest run first either way. An action belongs to one workflow for good (contract,
-- Action): its runs are found by the workflow's index.
create index runs_workspace_id_created_at_id_idx on runs (workspace_id, created_at, id);
create index runs_workspace_id_workflow_id_created_at_id_idx on runs (workspace_id, workflow_id, created_at, id);
-- Most runs are of an action and succeed: those filters read the index above, the rare values have one of their own.
create index runs_by_status on runs (workspace_id, indexed_status, created_at, id) where indexed_status is not null;
create index runs_by_source on runs (workspace_id, source, created_at, id) where source <> 'action';
-- A run whose caller sends no reference has its own id, where the primary key finds it.
create index runs_by_correlation_id on runs (workspace_id, correlation_id) where correlation_id <> id::text;
-- The filter of the list for the runs that a key started.
create index runs_by_key on runs (api_key_id, created_at, id) where api_key_id is not null;
-- The runs of one user in the last hour.
create index runs_user_id_created_at_idx on runs (user_id, created_at);
create index runs_resume_from_run_id on runs (resume_from_run_id) where resume_from_run_id is not null;
-- The runs of a version are in its time, except for replays (lib/domain/runs/read/list-runs).
create index runs_replays_by_version on runs (workflow_version_id, created_at, id) where source = 'replay';
-- A step starts one sub-run per attempt that was answered: a parent that continues after a crash finds the one it has.
create unique index runs_parent_step on runs (parent_run_id, parent_step) where parent_run_id is not null;
-- What the sweeper and the reconciler look for. Suspect runs are found in run_queue.
create index runs_lease_owner on runs (lease_owner) where lease_owner is not null;
create index runs_open on runs (id) where indexed_status in ('running', 'waiting_for_approval');
-- The words of errors, and the errors of a workspace by their time: a search reads the newest of them before it asks the
-- index of words. Groups are counted from the second index alone. Only runs that failed have entries.
create index runs_error_words on runs using gin (error_words) where error_words is not null;
create index runs_errors on runs (workspace_id, created_at, id, error_group, workflow_id)
  where error_words is not null;
create index runs_by_error_group on runs (workspace_id, error_group, created_at, id) where error_group is not null;

create table idempotency_keys (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  action_slug text not null,
  key text not null,
  payload_hash bytea not null,
  run_id uuid not null references runs (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, action_slug, key)
);
create index idempotency_keys_created_at_idx on idempotency_keys (created_at);
create index idempotency_keys_run_id_idx on idempotency_keys (run_id);

-- The idempotency keys of operations that create something other than the run of an action. `answer_sealed` is null while
-- the first call is being answered. A call that takes over a key gets a new id, so that the call before it can no longer
-- answer.
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

-- Journals -----------------------------------------------------------------------------------------------------------

-- Partitioned by run id, which in a UUIDv7 is a range of time: the events of a run are in one partition, so a timeline
-- reads one, and retention drops whole partitions instead of deleting rows. create_partition creates the weeks. No foreign
-- key to runs: every insert locks and checks the run's row in its own statement (the fencing token), which says more.
create table execution_events (
  run_id uuid not null,
  seq bigint generated always as identity,
  workspace_id uuid not null,
  node_id text not null,
  iteration text not null default '',
  kind text not null,
  attempt integer not null default 1,
  at timestamptz(3) not null default clock_timestamp(),
  duration_ms integer,
  -- Sanitized. A step that started and ended in one write is one row: `step_completed` with the input of its
  -- `step_started`, which started duration_ms before `at`.
  input_data jsonb,
  output_data jsonb,
  error jsonb,
  -- True if a replay took the event over from the original run.
  reused boolean not null default false,
  -- Of step_started: the number of earlier attempts that the other side had answered. It is part of the attempt's
  -- idempotency key (`:r<n>`), so an attempt that resumes after a crash must send the same.
  answered_attempts integer,
  -- True on a step_completed row whose real output is in run_checkpoints. A replay that takes the step over must know:
  -- without that checkpoint it would pass the redacted output on.
  output_sealed boolean,
  warnings json,
  -- Why a step was skipped although it was reached.
  skip_reason text,
  console json,
  -- The output with its keys as they were written, which jsonb sorts. Null if jsonb keeps their order, or if the original
  -- is sealed.
  output_written json,
  primary key (run_id, seq),
  constraint execution_events_kind check (kind in ('step_started', 'step_completed', 'step_failed',
    'step_failed_continued', 'step_skipped', 'step_timed_out', 'step_pending_approval'))
) partition by range (run_id);
-- A step is done once: the last line of defense behind the fencing token.
create unique index execution_events_done_once on execution_events (run_id, node_id, iteration)
  where kind in ('step_completed', 'step_skipped', 'step_failed_continued');
create table execution_events_default partition of execution_events default;

-- The events that a run writes together with its end, as one row with one index entry instead of a row with two index
-- entries for each event. `events` is the JSON that the worker sent: its ages count back from `at`, and its events have the
-- places `seq`, `seq` + 1, and so on in the journal. `large` has the large values of the events, each once; the events name
-- them by their places (see fill_parts).
create table journal_ends (
  run_id uuid not null,
  workspace_id uuid not null,
  seq bigint not null,
  at timestamptz(3) not null,
  events json not null,
  large text[],
  primary key (run_id)
) partition by range (run_id);
-- Compressed, and still in the row itself: each piece outside of it would be a row and an index entry of its own. PostgreSQL
-- 15 cannot say so in `create table`.
alter table journal_ends alter column events set storage main;
create table journal_ends_default partition of journal_ends default;

-- Outputs that sanitizing changed, encrypted, for the steps that come after: never served.
create table run_checkpoints (
  run_id uuid not null,
  node_id text not null,
  iteration text not null default '',
  sealed bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (run_id, node_id, iteration)
) partition by range (run_id);
create table run_checkpoints_default partition of run_checkpoints default;

-- lz4 takes a tenth of the time of pglz for a large payload, but a server may be built without it. New partitions take the
-- setting over from their table, the default partition is there already.
do $$
declare
  part record;
begin
  if (select 'lz4' = any (enumvals) from pg_settings where name = 'default_toast_compression') then
    for part in
      select c.oid::regclass::text as name, a.attname as payload
        from (values ('runs', '{input,input_written,output}'::text[]),
            ('execution_events', '{input_data,output_data,output_written}'), ('journal_ends', '{events,large}')) t (name, payloads)
          cross join lateral (select t.name::regclass as oid union select relid from pg_partition_tree(t.name::regclass)) c
          join pg_attribute a on a.attrelid = c.oid and a.attname = any (t.payloads)
        order by 1, 2
    loop
      execute format('alter table %s alter column %I set compression lz4', part.name, part.payload);
    end loop;
  end if;
end $$;

-- The queue and the workers ------------------------------------------------------------------------------------------

-- One row for each run that waits for a worker or is being executed. Workers take from it with admit_runs. A run that waits
-- for something else (a decision, a sub-run) has no row; one that waits for a point in time has a row that is due later.
create table run_queue (
  run_id uuid primary key,
  workspace_id uuid not null,
  -- Lower first, within a workspace.
  priority smallint not null default 0,
  run_at timestamptz(6) not null default now(),
  -- True until run_at; admit_runs makes it false then.
  is_later boolean not null default false,
  -- Only the quarantine worker takes it.
  is_suspect boolean not null default false,
  attempts integer not null default 0,
  -- The worker that executes the run, since when, and under which number: every taking has its own.
  taken_by text,
  taken_at timestamptz(6),
  ticket bigint
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create sequence run_queue_tickets;
create index run_queue_waiting on run_queue (workspace_id, priority, run_at)
  where ticket is null and not is_later and not is_suspect;
create index run_queue_later on run_queue (run_at) where is_later;
create index run_queue_suspect on run_queue (run_at) where is_suspect and not is_later;
create index run_queue_taken on run_queue (workspace_id) where ticket is not null;

create table worker_heartbeats (
  pool_id text primary key,
  host text not null,
  pid integer not null,
  quarantine boolean not null default false,
  -- How many runs the worker executes at once.
  slots integer not null default 0,
  -- The queues that the worker serves; null for a worker that serves all.
  queues text[],
  -- The id of the key that the worker seals with.
  key_id text,
  started_at timestamptz(3) not null default now(),
  last_seen_at timestamptz not null default now(),
  dead_at timestamptz
);
create index worker_heartbeats_alive on worker_heartbeats (last_seen_at) where dead_at is null;

-- The runs that a worker has read and not left since. A worker that dies before it reads a run had no part of it, so the run
-- is not blamed. Unlogged: after a crash of PostgreSQL, no loss counts.
create unlogged table opened_runs (
  pool_id text primary key,
  run_ids uuid[] not null,
  -- The number of the list, because a worker may send two at once.
  list integer not null
) with (fillfactor = 50);

-- Workers that have room and found nothing they may take. Only admit_runs writes it, behind the lock of all workers.
create table idle_workers (pool_id text primary key);

-- Approvals and callbacks --------------------------------------------------------------------------------------------

create table approvals (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  run_id uuid not null references runs (id) on delete cascade,
  kind text not null,
  -- Empty for the action's policy; a gate is keyed by node and iteration.
  node_id text not null default '',
  iteration text not null default '',
  status text not null default 'pending',
  message text,
  requested_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  decided_at timestamptz(3),
  decided_by_type text,
  decided_by_id uuid,
  decided_by_name text,
  -- Sanitized. comment_sealed is the comment as it was written; null if nothing in it had to be redacted.
  comment text,
  comment_sealed bytea,
  constraint approvals_kind check (kind in ('policy', 'gate')),
  constraint approvals_status check (status in ('pending', 'approved', 'rejected', 'expired', 'cancelled')),
  constraint approvals_decided_by_type check (decided_by_type in ('api_key', 'user', 'system')),
  constraint approvals_decided check ((decided_at is null) = (status = 'pending'))
);
create unique index approvals_run_id_node_id_iteration_key on approvals (run_id, node_id, iteration);
create index approvals_workspace_id_requested_at_id_idx on approvals (workspace_id, requested_at desc, id desc);
-- The inbox reads one status of one workspace in the order of the requests.
create index approvals_workspace_id_status_requested_at_id_idx on approvals (workspace_id, status, requested_at, id);
create index approvals_pending on approvals (expires_at) where status = 'pending';

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

-- Triggers -----------------------------------------------------------------------------------------------------------

create table trigger_subscriptions (
  -- Random (UUIDv4): for a webhook the id is the address.
  id uuid primary key,
  workspace_id uuid not null,
  workflow_id uuid not null,
  kind text not null,
  config jsonb not null,
  secret_sealed bytea,
  connection_id uuid,
  is_active boolean not null default true,
  -- Schedules: the next fire and the anchor of an interval.
  next_at timestamptz(3),
  anchored_at timestamptz(3),
  last_at timestamptz(3),
  missed integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  foreign key (workspace_id, workflow_id) references workflows (workspace_id, id) on delete cascade,
  foreign key (workspace_id, connection_id) references connections (workspace_id, id) on delete restrict,
  constraint trigger_subscriptions_kind check (kind in ('webhook', 'schedule', 'connector'))
);
create unique index trigger_subscriptions_workspace_id_workflow_id_key on trigger_subscriptions (workspace_id, workflow_id);
create index trigger_subscriptions_connection_id_idx on trigger_subscriptions (connection_id);
create index trigger_subscriptions_due on trigger_subscriptions (next_at) where is_active and next_at is not null;

-- What reached a trigger, once each: a webhook's delivery id, a schedule's moment, a connector event's id. Partitioned by
-- id, as journals are.
create table trigger_deliveries (
  id uuid primary key,
  subscription_id uuid not null references trigger_subscriptions (id) on delete cascade,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- Null if the sender gave nothing to recognize a repetition by.
  dedupe_key text,
  verdict text not null,
  run_id uuid references runs (id) on delete set null,
  request jsonb,
  received_at timestamptz(3) not null default now(),
  -- A delivery above a limit is refused and logged; it starts no run.
  constraint trigger_deliveries_verdict check (verdict in ('accepted', 'duplicate', 'invalid_signature', 'bad_request',
    'missed', 'over_run_limit', 'over_run_quota'))
) partition by range (id);
create index trigger_deliveries_subscription_id_received_at_idx on trigger_deliveries (subscription_id, received_at desc);
create index trigger_deliveries_run_id_idx on trigger_deliveries (run_id);
create index trigger_deliveries_received_at_idx on trigger_deliveries (received_at);
create table trigger_deliveries_default partition of trigger_deliveries default;
-- Each partition has its own, because no unique index of a partitioned table can leave out its key: see create_partition.
create unique index trigger_deliveries_default_once on trigger_deliveries_default (subscription_id, dedupe_key)
  where dedupe_key is not null and verdict = 'accepted';

-- "Listen for a test event": an address of a workflow's own that starts nothing. It stays the same, so that a sender is
-- configured once; between the start and listens_until it takes one delivery, for the person who draws the workflow.
create table webhook_tests (
  -- Random (UUIDv4): the id is the address.
  id uuid primary key,
  workspace_id uuid not null,
  workflow_id uuid not null,
  -- Null while no one listens.
  listens_until timestamptz(3),
  received_at timestamptz(3),
  -- What came, encrypted; for at most an hour.
  event_sealed bytea,
  -- Why the last delivery since the start was refused.
  problem text,
  foreign key (workspace_id, workflow_id) references workflows (workspace_id, id) on delete cascade
);
create unique index webhook_tests_workspace_id_workflow_id_key on webhook_tests (workspace_id, workflow_id);
-- What a test event's retention looks for.
create index webhook_tests_kept on webhook_tests (received_at) where event_sealed is not null;

-- How events of other services reach connector triggers (decisions, Connector events). One row listens for all triggers
-- of a connection that its service serves together, or polls for the one trigger in subscription_id. The row is the only
-- registry: the worker that finds it due claims it, asks the service, and writes what came of it while the claim holds.
create table connector_listeners (
  -- Random (UUIDv4): it is a part of the address that the service calls.
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  connection_id uuid not null,
  subscription_id uuid references trigger_subscriptions (id) on delete cascade,
  -- Null until the service was asked for the first time.
  mode text,
  status text not null default 'pending',
  -- What the service was asked for last.
  events text[] not null default '{}',
  secret_sealed bytea not null,
  -- What the service answered and later calls need: ids, never secrets.
  state jsonb,
  cursor jsonb,
  -- Increases with every change of what is wanted; what was found out for an older one is not written.
  revision integer not null default 1,
  failures integer not null default 0,
  -- The time of the first failure in a row; null while all is well.
  failing_since timestamptz(3),
  -- When an outage was reported. Failures count from zero again whenever something is asked for again; what was reported
  -- stays reported.
  failure_told_at timestamptz(3),
  last_error text,
  last_at timestamptz(3),
  next_at timestamptz(3),
  claim uuid,
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  foreign key (workspace_id, connection_id) references connections (workspace_id, id) on delete cascade,
  constraint connector_listeners_mode check (mode in ('webhook', 'polling')),
  constraint connector_listeners_status check (status in ('pending', 'active', 'failed', 'off'))
);
create unique index connector_listeners_of_connection on connector_listeners (connection_id) where subscription_id is null;
create unique index connector_listeners_subscription_id_key on connector_listeners (subscription_id);
create index connector_listeners_connection_id_idx on connector_listeners (connection_id);
create index connector_listeners_due on connector_listeners (next_at) where next_at is not null;

-- Outbound events and alerts -----------------------------------------------------------------------------------------

-- What happens in a workspace, reported to webhooks that its people set up, and by email. Triggers write an event in the
-- statement that makes it true, whichever statement that is: a run that ended without its event, or an event of a run that
-- did not end, cannot exist. If no endpoint listens, nothing is written.

-- Where events go. One row per workspace may be of kind `email`: its members who may decide.
create table event_endpoints (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  kind text not null,
  name text not null default '',
  url text,
  secret_sealed bytea,
  events text[] not null,
  is_enabled boolean not null default true,
  -- Why the service itself disabled it; null if a person did.
  disabled_reason text,
  -- Since when every delivery has failed.
  failing_since timestamptz(3),
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint event_endpoints_kind check (kind in ('webhook', 'email')),
  constraint event_endpoints_webhook check (kind = 'email' or (url is not null and secret_sealed is not null))
);
create unique index event_endpoints_workspace_id_id_key on event_endpoints (workspace_id, id);
create unique index event_endpoints_one_email on event_endpoints (workspace_id) where kind = 'email';

-- The outbox and the log in one: a row is one event for one endpoint, until retention deletes it. Partitioned by id, as
-- journals are.
create table event_deliveries (
  id uuid primary key,
  -- The same for every endpoint, and for every attempt: receivers recognize a repetition by it.
  event_id uuid not null,
  workspace_id uuid not null,
  endpoint_id uuid not null,
  type text not null,
  data jsonb not null,
  status text not null default 'pending',
  -- Emails of one group within a quarter of an hour become one.
  group_key text,
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null default clock_timestamp(),
  -- Of each attempt: at, status, latency_ms, error.
  attempt_log jsonb not null default '[]',
  created_at timestamptz(3) not null default clock_timestamp(),
  completed_at timestamptz(3),
  foreign key (workspace_id, endpoint_id) references event_endpoints (workspace_id, id) on delete cascade,
  constraint event_deliveries_status check (status in ('pending', 'succeeded', 'failed'))
) partition by range (id);
create index event_deliveries_due on event_deliveries (endpoint_id, next_attempt_at) where status = 'pending';
create index event_deliveries_endpoint_id_created_at_id_idx on event_deliveries (endpoint_id, created_at desc, id desc);
create index event_deliveries_created_at_idx on event_deliveries (created_at);
create table event_deliveries_default partition of event_deliveries default;

-- When an email of a group was last sent.
create table event_mail_groups (
  endpoint_id uuid not null references event_endpoints (id) on delete cascade,
  group_key text not null,
  sent_at timestamptz(3) not null,
  primary key (endpoint_id, group_key)
);

create table alert_rules (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- Null: every workflow of the workspace, each by itself.
  workflow_id uuid,
  kind text not null,
  -- failures_in_a_row: how many. error_rate: percent. slow: milliseconds.
  threshold double precision not null,
  window_minutes integer not null,
  min_runs integer not null,
  is_enabled boolean not null default true,
  evaluated_at timestamptz(3) not null default '-infinity',
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  foreign key (workspace_id, workflow_id) references workflows (workspace_id, id) on delete cascade,
  constraint alert_rules_kind check (kind in ('failures_in_a_row', 'error_rate', 'slow'))
);
create index alert_rules_workspace_id_idx on alert_rules (workspace_id);
create index alert_rules_due on alert_rules (evaluated_at) where is_enabled;

-- A row is an alert that has fired and not recovered.
create table alert_firings (
  rule_id uuid not null references alert_rules (id) on delete cascade,
  workflow_id uuid not null references workflows (id) on delete cascade,
  value double precision not null,
  fired_at timestamptz(3) not null default clock_timestamp(),
  primary key (rule_id, workflow_id)
);

-- Usage, audit, instance ---------------------------------------------------------------------------------------------

-- Monthly runs per workspace, for the plan's quota.
create table usage_months (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  month date not null,
  runs integer not null default 0,
  primary key (workspace_id, month)
);

-- The runs of one past day. A day that is over does not change, so it is counted once, when someone first looks at it,
-- and outlives its runs.
create table usage_days (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- A day starts when it starts somewhere.
  time_zone text not null,
  day date not null,
  groups jsonb not null,
  primary key (workspace_id, time_zone, day)
);

-- What the processes have counted, summed over all of them and over restarts (decisions, Retention, health, metrics).
create table metric_counters (
  name text not null,
  -- As Prometheus writes them: status="succeeded",source="action".
  labels text not null,
  value double precision not null,
  primary key (name, labels)
);

-- Partitioned by id, as journals are, in months.
create table audit_events (
  id uuid primary key,
  workspace_id uuid references workspaces (id) on delete cascade,
  actor_type text not null,
  actor_id uuid,
  actor_name text,
  action text not null,
  object_type text not null,
  object_id text,
  details jsonb not null default '{}',
  at timestamptz(3) not null default now(),
  constraint audit_events_actor_type check (actor_type in ('user', 'api_key', 'system'))
) partition by range (id);
create index audit_events_workspace_id_at_id_idx on audit_events (workspace_id, at desc, id desc);
-- The sign-ins and security changes of one person, newest first.
create index audit_events_of_user on audit_events (object_id, at desc, id desc) where object_type = 'user';
create table audit_events_default partition of audit_events default;

-- Facts about this installation, such as the canary that proves the encryption keys.
create table instance_settings (
  name text primary key,
  value jsonb not null
);
