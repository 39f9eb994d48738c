-- The errors of a workspace by their time: a search for words reads the newest of them before it asks the words' index
-- (lib/runs/find-error-runs). Only what has an error has an entry.
create index runs_errors on runs (workspace_id, created_at, id) where error_words is not null;
