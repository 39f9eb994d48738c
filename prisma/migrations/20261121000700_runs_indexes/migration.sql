-- Runs are made in the order of time. An index whose time ascends grows at its right edge, where a page that is full is
-- left full and a new one begun; where time descends it grows in its middle, halving pages and writing each half to the
-- log. A list reads the same index backwards and comes to the newest run first either way.
drop index runs_workspace_id_created_at_id_idx;
create index runs_workspace_id_created_at_id_idx on runs (workspace_id, created_at, id);
drop index runs_by_status;
create index runs_by_status on runs (workspace_id, status, created_at, id) where status <> 'succeeded';
drop index runs_by_source;
create index runs_by_source on runs (workspace_id, source, created_at, id) where source <> 'action';
drop index runs_workspace_id_workflow_id_created_at_id_idx;
create index runs_workspace_id_workflow_id_created_at_id_idx on runs (workspace_id, workflow_id, created_at, id);
drop index runs_user_id_created_at_idx;
create index runs_user_id_created_at_idx on runs (user_id, created_at);

-- Nothing looks runs up by their key, and keys are revoked, not deleted.
drop index runs_by_key;
-- An action belongs to one workflow for good (contract, Action): its runs are found by the workflow's index.
drop index runs_workspace_id_action_slug_created_at_id_idx;
