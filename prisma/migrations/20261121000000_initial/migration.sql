-- The whole data model of the contract. Ids are UUIDv7 made by the application, so that the primary key orders rows by
-- creation. Every tenant row carries workspace_id, and foreign keys between tenant rows include it: a row that points
-- into another workspace is refused by the database, not by a query somebody remembered to scope.

-- People and workspaces --------------------------------------------------------------------------------------------

create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  password_hash text not null,
  -- Raised to end every session of the user at once.
  session_epoch integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint users_email_lower check (email = lower(email))
);
create unique index users_email_key on users (email);

create table workspaces (
  id uuid primary key,
  slug text not null,
  name text not null,
  plan text not null default 'free',
  time_zone text not null default 'UTC',
  forbid_self_approval boolean not null default false,
  run_retention_days integer,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint workspaces_plan check (plan in ('free', 'starter', 'pro', 'business')),
  constraint workspaces_retention check (run_retention_days between 1 and 3650)
);
create unique index workspaces_slug_key on workspaces (slug);

create table workspace_members (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  role text not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, user_id),
  constraint workspace_members_role check (role in ('viewer', 'approver', 'editor', 'admin', 'owner'))
);
create index workspace_members_user_id_idx on workspace_members (user_id);

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
  created_at timestamptz(3) not null default now(),
  constraint workspace_invites_role check (role in ('viewer', 'approver', 'editor', 'admin', 'owner'))
);
create unique index workspace_invites_token_hash_key on workspace_invites (token_hash);
create index workspace_invites_workspace_id_idx on workspace_invites (workspace_id);

-- Failed sign-ins, per account and per address, for the throttle.
create table sign_in_attempts (
  subject text primary key,
  failures integer not null default 0,
  window_started_at timestamptz(3) not null default now()
);

-- Workflows, versions, actions ---------------------------------------------------------------------------------------

create table workflows (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  name text not null,
  description text,
  type text not null,
  draft jsonb not null,
  -- Counts changes of the draft; publishing does not change it.
  draft_revision integer not null default 1,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  -- Soft deletion: the row goes 30 days later.
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
  definition jsonb not null,
  -- json, not jsonb: the order of the properties is the order of the fields a person is shown.
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
-- contract, Workflow version: publishing archives the previous deployed version.
create unique index workflow_versions_one_deployed on workflow_versions (workflow_id) where status = 'deployed';

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
  -- The number of the workflow version it releases, so that "v4" means one thing everywhere.
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
alter table actions add foreign key (current_release_id) references action_releases (id) on delete set null;

-- API keys and their windows -----------------------------------------------------------------------------------------

create table api_keys (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  created_by uuid not null references users (id) on delete restrict,
  name text not null,
  -- contract, API key: eight characters in clear; the secret only as sha256(salt || raw key).
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

-- One row per key holds the ends of its window, one row per counted request its time: taking a request touches the
-- newest and the oldest only, whatever the limit. Unlogged, because a window is 60 seconds old at most: a crash of
-- Postgres forgets it, and no commit waits for the disk.
create unlogged table rate_windows (
  key_id uuid primary key,
  newest bigint not null default 0,
  oldest bigint not null default 1
);
create unlogged table rate_hits (
  key_id uuid not null,
  seq bigint not null,
  at timestamptz not null,
  primary key (key_id, seq)
);

-- Runs ---------------------------------------------------------------------------------------------------------------

create table runs (
  id uuid primary key,
  workspace_id uuid not null,
  workflow_id uuid not null,
  -- Null for a test run of a draft, whose definition stands in `definition`.
  workflow_version_id uuid,
  definition jsonb,
  action_id uuid,
  action_slug text,
  action_release_version integer,
  source text not null,
  status text not null default 'accepted',
  dry_run boolean not null default false,
  -- Sanitized, as everything that is read back. Where sanitizing changed something, input_sealed keeps the
  -- caller's own values, encrypted, for the worker alone.
  input jsonb not null,
  input_sealed bytea,
  -- json, not jsonb: it is the caller's answer, and comes back in the order the workflow wrote it.
  output json,
  error jsonb,
  correlation_id text not null,
  traceparent text,
  resume_from_run_id uuid references runs (id) on delete set null,
  resume_from_step_id text,
  parent_run_id uuid references runs (id) on delete set null,
  parent_step text,
  depth integer not null default 0,
  -- Whose hundred runs an hour this one counts against.
  user_id uuid references users (id) on delete set null,
  api_key_id uuid references api_keys (id) on delete set null,
  subscription_id uuid,
  created_at timestamptz(3) not null default now(),
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
  foreign key (workspace_id, workflow_id) references workflows (workspace_id, id) on delete cascade,
  foreign key (workspace_id, workflow_version_id) references workflow_versions (workspace_id, id) on delete cascade,
  foreign key (workspace_id, action_id) references actions (workspace_id, id) on delete cascade,
  constraint runs_source check (source in ('action', 'webhook', 'schedule', 'manual', 'replay', 'test', 'dry_run')),
  constraint runs_status check (status in ('accepted', 'running', 'waiting_for_approval', 'succeeded', 'failed',
    'cancelled', 'timed_out')),
  constraint runs_completed check ((completed_at is not null) = (status in ('succeeded', 'failed', 'cancelled', 'timed_out'))),
  constraint runs_definition check (workflow_version_id is not null or definition is not null)
);
create index runs_workspace_id_created_at_id_idx on runs (workspace_id, created_at desc, id desc);
-- Most runs succeeded, by an action: those filters read the index above, the rare values have one of their own.
create index runs_by_status on runs (workspace_id, status, created_at desc, id desc) where status <> 'succeeded';
create index runs_by_source on runs (workspace_id, source, created_at desc, id desc) where source <> 'action';
create index runs_workspace_id_action_slug_created_at_id_idx on runs (workspace_id, action_slug, created_at desc, id desc);
create index runs_workspace_id_correlation_id_idx on runs (workspace_id, correlation_id);
create index runs_workspace_id_workflow_id_created_at_id_idx on runs (workspace_id, workflow_id, created_at desc, id desc);
create index runs_by_key on runs (api_key_id, created_at desc) where api_key_id is not null;
-- The runs of one user in the last hour.
create index runs_user_id_created_at_idx on runs (user_id, created_at desc);
create index runs_resume_from_run_id on runs (resume_from_run_id) where resume_from_run_id is not null;
create index runs_parent_run_id on runs (parent_run_id) where parent_run_id is not null;
-- What the sweeper and the reconciler look for.
create index runs_lease_owner on runs (lease_owner) where lease_owner is not null;
create index runs_open on runs (created_at) where status in ('accepted', 'running', 'waiting_for_approval');

-- The journal. Partitioned by run id, which a UUIDv7 makes a range of time: one run lies in one partition, so a
-- timeline reads one, and retention drops whole partitions instead of deleting rows. No foreign key to runs: every
-- insert locks and checks the run row in its own statement (the fencing token), which says more than a key could.
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
  -- inputData of step_started, outputData of step_completed; sanitized before they come here.
  input_data jsonb,
  output_data jsonb,
  error jsonb,
  -- True where a replay took the event over from the original run.
  reused boolean not null default false,
  primary key (run_id, seq),
  constraint execution_events_kind check (kind in ('step_started', 'step_completed', 'step_failed',
    'step_failed_continued', 'step_skipped', 'step_timed_out', 'step_pending_approval'))
) partition by range (run_id);
-- A step is done once: the last line of defence behind the fencing token.
create unique index execution_events_done_once on execution_events (run_id, node_id, iteration)
  where kind in ('step_completed', 'step_skipped', 'step_failed_continued');
create table execution_events_default partition of execution_events default;

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

-- The smallest UUIDv7 of a moment.
create function uuid_floor(at timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

-- Makes the weekly partitions of journal and checkpoints for every week that touches [from_at, to_at].
create function ensure_run_partitions(from_at timestamptz, to_at timestamptz) returns integer language plpgsql as $$
declare
  week timestamptz := date_trunc('week', from_at at time zone 'UTC') at time zone 'UTC';
  made integer := 0;
  parent text;
  part text;
begin
  while week <= to_at loop
    foreach parent in array array['execution_events', 'run_checkpoints'] loop
      part := parent || '_' || to_char(week at time zone 'UTC', 'IYYY"w"IW');
      if to_regclass(part) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)',
          part, parent, uuid_floor(week), uuid_floor(week + interval '7 days'));
        made := made + 1;
      end if;
    end loop;
    week := week + interval '7 days';
  end loop;
  return made;
end $$;
select ensure_run_partitions(now(), now() + interval '28 days');

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
  comment text,
  constraint approvals_kind check (kind in ('policy', 'gate')),
  constraint approvals_status check (status in ('pending', 'approved', 'rejected', 'expired', 'cancelled')),
  constraint approvals_decided_by_type check (decided_by_type in ('api_key', 'user', 'system')),
  constraint approvals_decided check ((decided_at is null) = (status = 'pending'))
);
create unique index approvals_run_id_node_id_iteration_key on approvals (run_id, node_id, iteration);
create index approvals_workspace_id_requested_at_id_idx on approvals (workspace_id, requested_at desc, id desc);
create index approvals_pending on approvals (expires_at) where status = 'pending';

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

-- Monthly runs per workspace, for the plan's quota.
create table usage_months (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  month date not null,
  runs integer not null default 0,
  primary key (workspace_id, month)
);

-- Workers ------------------------------------------------------------------------------------------------------------

create table worker_heartbeats (
  pool_id text primary key,
  host text not null,
  pid integer not null,
  quarantine boolean not null default false,
  started_at timestamptz(3) not null default now(),
  last_seen_at timestamptz not null default now(),
  dead_at timestamptz
);
create index worker_heartbeats_alive on worker_heartbeats (last_seen_at) where dead_at is null;

create table circuit_breakers (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  connector text not null,
  state text not null default 'closed',
  failures timestamptz[] not null default '{}',
  opened_at timestamptz(3),
  retry_at timestamptz(3),
  probe_started_at timestamptz(3),
  primary key (workspace_id, connector),
  constraint circuit_breakers_state check (state in ('closed', 'open', 'half_open'))
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
  -- Schedules: the next fire and the anchor of an interval. Polling connectors: the next poll and its cursor.
  next_at timestamptz(3),
  anchored_at timestamptz(3),
  last_at timestamptz(3),
  missed integer not null default 0,
  cursor jsonb,
  external_id text,
  last_error text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  foreign key (workspace_id, workflow_id) references workflows (workspace_id, id) on delete cascade,
  constraint trigger_subscriptions_kind check (kind in ('webhook', 'schedule', 'connector'))
);
create unique index trigger_subscriptions_workspace_id_workflow_id_key on trigger_subscriptions (workspace_id, workflow_id);
create index trigger_subscriptions_due on trigger_subscriptions (next_at) where is_active and next_at is not null;

-- What reached a trigger, once each: a webhook's delivery id, a schedule's moment, a connector event's id.
create table trigger_deliveries (
  id uuid primary key,
  subscription_id uuid not null references trigger_subscriptions (id) on delete cascade,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- Null where the sender gave nothing to recognise a repetition by.
  dedupe_key text,
  verdict text not null,
  run_id uuid references runs (id) on delete set null,
  request jsonb,
  received_at timestamptz(3) not null default now(),
  constraint trigger_deliveries_verdict check (verdict in ('accepted', 'duplicate', 'invalid_signature', 'bad_request', 'missed'))
);
create unique index trigger_deliveries_once on trigger_deliveries (subscription_id, dedupe_key)
  where dedupe_key is not null and verdict = 'accepted';
create index trigger_deliveries_subscription_id_received_at_idx on trigger_deliveries (subscription_id, received_at desc);
create index trigger_deliveries_run_id_idx on trigger_deliveries (run_id);

-- Connectors and connections -----------------------------------------------------------------------------------------

create table connectors (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  slug text not null,
  name text not null,
  version integer not null default 1,
  definition jsonb not null,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index connectors_workspace_id_slug_key on connectors (workspace_id, slug);

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
alter table trigger_subscriptions add foreign key (workspace_id, connection_id) references connections (workspace_id, id) on delete restrict;
create index trigger_subscriptions_connection_id_idx on trigger_subscriptions (connection_id);

-- Audit --------------------------------------------------------------------------------------------------------------

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
);
create index audit_events_workspace_id_at_id_idx on audit_events (workspace_id, at desc, id desc);

-- Facts about this installation, such as the canary that proves the encryption keys.
create table instance_settings (
  name text primary key,
  value jsonb not null
);
