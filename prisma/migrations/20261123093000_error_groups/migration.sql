-- The list of runs groups errors that are the same but for ids and numbers: same workflow, step and code, and the same
-- message with every UUID, long hexadecimal id and number left out. HTTP statuses, which are three digits from 100 to 599,
-- stay: a 404 is another problem than a 500. Only the start of a message counts, which bounds the work per error.
--
-- As a column, so that grouping the newest errors of a time range reads an index alone.
alter table runs add column error_group uuid generated always as (
  case when error is not null then
    md5(workflow_id::text || chr(10) || coalesce(error ->> 'step_id', '') || chr(10) || coalesce(error ->> 'code', '')
      || chr(10) || regexp_replace(regexp_replace(regexp_replace(left(coalesce(error ->> 'message', ''), 300),
        '[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}', '#', 'gi'),
        '\m(?=[a-f]*[0-9])[0-9a-f]{8,}\M', '#', 'gi'),
        '(?<![0-9])(?!\m[1-5][0-9]{2}\M)[0-9]+', '#', 'g'))::uuid
  end) stored;

-- The groups of a time range: the newest errors of a workspace, with what narrows and groups them.
drop index runs_errors;
create index runs_errors on runs (workspace_id, created_at, id, error_group, workflow_id)
  where error_words is not null;
-- The runs of one group.
create index runs_by_error_group on runs (workspace_id, error_group, created_at, id) where error_group is not null;
