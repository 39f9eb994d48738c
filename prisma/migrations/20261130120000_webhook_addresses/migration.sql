-- The address of a webhook exists with its workflow: the id that the workflow's subscription gets when it is first
-- published. Adding the default after the column leaves the rows as they are, and the version before gets it, too.
alter table workflows add column subscription_id uuid;
alter table workflows alter column subscription_id set default gen_random_uuid();
update workflows w set subscription_id = coalesce(
  (select s.id from trigger_subscriptions s where s.workspace_id = w.workspace_id and s.workflow_id = w.id),
  gen_random_uuid());
create index workflows_subscription_id_idx on workflows (subscription_id);
