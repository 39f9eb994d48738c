-- What happens in a workspace, told to the outside: webhooks that its people set up, and mail. An event is written by
-- triggers, in the statement that makes it true, whichever of the many statements that is: a run that ended without
-- its event, or an event of a run that did not end, cannot be. Where nobody listens nothing is written.

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
  -- Why the service itself switched it off; null where a person did.
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

-- The outbox and the log in one: a row is one event for one endpoint, until retention takes it.
create table event_deliveries (
  id uuid primary key,
  -- The same for every endpoint, and for every attempt: receivers know a repetition by it.
  event_id uuid not null,
  workspace_id uuid not null,
  endpoint_id uuid not null,
  type text not null,
  data jsonb not null,
  status text not null default 'pending',
  -- Mails of one group within a quarter of an hour become one.
  group_key text,
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null default clock_timestamp(),
  -- Of each attempt: at, status, latency_ms, error.
  attempt_log jsonb not null default '[]',
  created_at timestamptz(3) not null default clock_timestamp(),
  completed_at timestamptz(3),
  foreign key (workspace_id, endpoint_id) references event_endpoints (workspace_id, id) on delete cascade,
  constraint event_deliveries_status check (status in ('pending', 'succeeded', 'failed'))
);
create index event_deliveries_due on event_deliveries (endpoint_id, next_attempt_at) where status = 'pending';
create index event_deliveries_endpoint_id_created_at_id_idx on event_deliveries (endpoint_id, created_at desc, id desc);
create index event_deliveries_created_at_idx on event_deliveries (created_at);

-- When mail of a group was last sent.
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

-- A UUIDv7 of this moment.
create function new_uuidv7() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1),
    'hex')::uuid
$$;

-- Writes an event for each endpoint that listens to its type.
create function emit_event(of_workspace uuid, of_type text, of_data jsonb) returns void language plpgsql as $$
declare
  of_event constant uuid := new_uuidv7();
begin
  insert into event_deliveries (id, event_id, workspace_id, endpoint_id, type, data, group_key, next_attempt_at)
    select new_uuidv7(), of_event, of_workspace, e.id, of_type, of_data, g.key,
        greatest(clock_timestamp(), m.sent_at + interval '15 minutes')
      from event_endpoints e
      cross join lateral (
        select case when e.kind = 'email' and of_type in ('run.succeeded', 'run.failed', 'run.timed_out', 'run.cancelled')
          then concat_ws('|', of_type, of_data ->> 'workflow_id') end as key) g
      left join event_mail_groups m on m.endpoint_id = e.id and m.group_key = g.key
      where e.workspace_id = of_workspace and e.is_enabled and of_type = any (e.events);
end $$;

create function has_listener(of_workspace uuid, of_type text) returns boolean language sql stable as $$
  select exists (select 1 from event_endpoints e
    where e.workspace_id = of_workspace and e.is_enabled and of_type = any (e.events))
$$;

-- What an event says of a run: never its input or its output.
create function run_event_data(of_run runs) returns jsonb language sql stable as $$
  select jsonb_build_object('run_id', of_run.id, 'workflow_id', of_run.workflow_id,
    'workflow_name', (select w.name from workflows w where w.id = of_run.workflow_id),
    'action_slug', of_run.action_slug, 'action_release_version', of_run.action_release_version,
    'source', of_run.source, 'status', of_run.status, 'correlation_id', of_run.correlation_id,
    'parent_run_id', of_run.parent_run_id, 'error', of_run.error, 'created_at', of_run.created_at,
    'started_at', of_run.started_at, 'completed_at', of_run.completed_at)
$$;

-- Tests of drafts and dry runs are nobody's business but the editor's.
create function emit_run_ended() returns trigger language plpgsql as $$
begin
  if has_listener(new.workspace_id, 'run.' || new.status) then
    perform emit_event(new.workspace_id, 'run.' || new.status, run_event_data(new));
  end if;
  return null;
end $$;
create trigger runs_emit_ended after update of status on runs for each row
  when (old.completed_at is null and new.completed_at is not null and new.source <> 'test')
  execute function emit_run_ended();
-- A run that was over a limit ends where it begins.
create trigger runs_emit_ended_at_once after insert on runs for each row
  when (new.status = 'failed' and new.source <> 'test')
  execute function emit_run_ended();

create function emit_approval_opened() returns trigger language plpgsql as $$
declare
  of_run runs;
begin
  if not has_listener(new.workspace_id, 'run.waiting_for_approval') then
    return null;
  end if;
  select * into of_run from runs r where r.id = new.run_id;
  if of_run.source <> 'test' then
    perform emit_event(new.workspace_id, 'run.waiting_for_approval', run_event_data(of_run) || jsonb_build_object(
      'status', 'waiting_for_approval', 'approval', jsonb_build_object('id', new.id, 'kind', new.kind,
        'step_id', nullif(new.node_id, ''), 'message', new.message, 'requested_at', new.requested_at,
        'expires_at', new.expires_at)));
  end if;
  return null;
end $$;
create trigger approvals_emit_opened after insert on approvals for each row
  when (new.status = 'pending') execute function emit_approval_opened();

-- A probe that fails opens the breaker again: the outage is the same.
create function emit_circuit_opened() returns trigger language plpgsql as $$
begin
  perform emit_event(new.workspace_id, 'circuit.opened',
    jsonb_build_object('connector', new.connector, 'opened_at', new.opened_at, 'retry_at', new.retry_at));
  return null;
end $$;
create trigger circuit_breakers_emit_opened after update of state on circuit_breakers for each row
  when (old.state = 'closed' and new.state = 'open') execute function emit_circuit_opened();

create function emit_schedule_missed() returns trigger language plpgsql as $$
begin
  perform emit_event(new.workspace_id, 'schedule.missed', jsonb_build_object('workflow_id', new.workflow_id,
    'workflow_name', (select w.name from workflows w where w.id = new.workflow_id),
    'missed', new.missed - old.missed, 'first_missed_at', old.next_at, 'next_at', new.next_at));
  return null;
end $$;
create trigger trigger_subscriptions_emit_missed after update of missed on trigger_subscriptions for each row
  when (new.missed > old.missed) execute function emit_schedule_missed();
