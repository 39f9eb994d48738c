-- Failures that workflows with a failure trigger wait for: written by the statement that ends the run, and deleted in the
-- transaction that creates the run of the event.
--
-- contract after 2026-11-29: a check of values is no key, so no version names it; each version writes only kinds it knows.
alter table trigger_subscriptions drop constraint if exists trigger_subscriptions_kind;
create index trigger_subscriptions_failure on trigger_subscriptions (workspace_id) where kind = 'failure' and is_active;

create table failure_events (
  -- The run that failed. Retention may delete it first: then its event starts nothing.
  run_id uuid not null,
  subscription_id uuid not null references trigger_subscriptions (id) on delete cascade,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  primary key (run_id, subscription_id)
);
create index failure_events_subscription_id_idx on failure_events (subscription_id);
create index failure_events_workspace_id_idx on failure_events (workspace_id);
