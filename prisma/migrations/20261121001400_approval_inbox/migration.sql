-- The inbox reads one status of one workspace in the order of the requests.
create index approvals_workspace_id_status_requested_at_id_idx on approvals (workspace_id, status, requested_at, id);
