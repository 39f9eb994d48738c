-- The actions that a run and its sub-runs may run, if a key that is limited to some actions started it; null is no limit.
alter table runs add column allowed_action_slugs text[];

-- Owners and admins who receive mail also learn what a key's publish loosened. A workspace without mail stays without it.
update event_endpoints set events = events || array['action.breaking_change', 'action.approval_removed'], updated_at = now()
where kind = 'email' and is_enabled;
