-- As a column, not as an expression of the index: a list's page of a common word is read newest run first, and looking at
-- a row's words must then not mean to find them out anew. Of a column PostgreSQL also knows which words are common.
drop index runs_error_words;
alter table runs add column error_words tsvector
  generated always as (case when error is not null then error_words(workspace_id, error) end) stored;
create index runs_error_words on runs using gin (error_words) where error_words is not null;

-- The runs of a version lie in its time, but for replays (lib/runs/list-runs).
create index runs_replays_by_version on runs (workflow_version_id, created_at, id) where source = 'replay';
