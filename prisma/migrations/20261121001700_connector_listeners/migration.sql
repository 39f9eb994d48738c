-- How events of other services reach connector triggers (decisions, Connector events). One row listens for all triggers
-- of a connection that its service serves together, or polls for the one trigger in subscription_id. The row is the only
-- registry: whichever worker finds it due claims it, asks the service, and writes what came of it while the claim holds.
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
  -- Goes up with every change of what is wanted; what was found out for an older one is not written.
  revision integer not null default 1,
  failures integer not null default 0,
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

-- What a connection's triggers want may be another by now: a worker compares it with what the service was asked for.
create function recheck_listeners(of_workspace uuid, of_connection uuid) returns void language sql as $$
  update connector_listeners
    set status = 'pending', revision = revision + 1, failures = 0, next_at = clock_timestamp(), updated_at = now()
    where workspace_id = of_workspace and connection_id = of_connection and (status <> 'off' or subscription_id is not null
      or exists (select 1 from trigger_subscriptions s where s.connection_id = of_connection and s.is_active))
$$;
