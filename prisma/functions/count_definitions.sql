-- count_definitions: keeps how many bytes of drafts and versions a workspace stores, in definition_sizes.
--
-- Locks: the workspace's row of definition_sizes, until the transaction ends. Saves of one workspace that change its
-- size take turns, so none slips past the limit (`lib/domain/workflows/assert-definition-room`).
-- Called by: its triggers on workflows and workflow_versions.
-- SQL because: rows also go with their workflow or workspace, and no statement of ours deletes them.
create or replace function count_definitions() returns trigger language plpgsql as $$
declare
  before bigint := 0;
  after bigint := 0;
begin
  if tg_table_name = 'workflows' then
    if tg_op <> 'INSERT' then before := octet_length(old.draft::text); end if;
    if tg_op <> 'DELETE' then after := octet_length(new.draft::text); end if;
  else
    if tg_op <> 'INSERT' then before := octet_length(old.definition::text); end if;
    if tg_op <> 'DELETE' then after := octet_length(new.definition::text); end if;
  end if;
  if after > before then
    insert into definition_sizes as d (workspace_id, bytes) values (new.workspace_id, after - before)
      on conflict (workspace_id) do update set bytes = d.bytes + excluded.bytes;
  elsif after < before then
    -- There is no row any more if the whole workspace is being deleted.
    update definition_sizes d set bytes = d.bytes + after - before where d.workspace_id = old.workspace_id;
  end if;
  return null;
end $$;
create or replace trigger workflows_count_definitions after insert or delete on workflows for each row
  execute function count_definitions();
create or replace trigger workflows_count_changed_definitions after update of draft on workflows for each row
  when (old.draft::text is distinct from new.draft::text) execute function count_definitions();
create or replace trigger workflow_versions_count_definitions after insert or delete on workflow_versions for each row
  execute function count_definitions();
create or replace trigger workflow_versions_count_changed_definitions after update of definition on workflow_versions
  for each row when (old.definition::text is distinct from new.definition::text) execute function count_definitions();
